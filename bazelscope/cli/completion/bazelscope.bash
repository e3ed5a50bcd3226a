# Completion of bazelscope in bash. In ~/.bashrc:  source <(bazelscope completion bash)
_bazelscope() {
    local IFS=$'\n' line kind=""
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
    done < <("$1" complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
    case $kind in
        open) compopt -o nospace 2>/dev/null ;;
        files | directories)
            local only=-f
            [[ $kind == directories ]] && only=-d
            while IFS= read -r line; do
                COMPREPLY+=("$line")
            done < <(compgen "$only" -- "${COMP_WORDS[COMP_CWORD]#=}")
            compopt -o filenames 2>/dev/null
            ;;
    esac
    return 0
}
complete -F _bazelscope bazelscope
