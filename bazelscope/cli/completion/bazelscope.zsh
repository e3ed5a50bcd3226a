#compdef bazelscope
# Completion of bazelscope in zsh. In ~/.zshrc, behind compinit:  source <(bazelscope completion zsh)
_bazelscope() {
    local -a answer open open_shown closed closed_shown
    local entry word shown
    answer=("${(@f)$("${(Q)words[1]}" complete zsh "${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" 2>/dev/null)}")
    case $answer[1] in
        files) _files; return ;;
        directories) _files -/; return ;;
    esac
    for entry in "${(@)answer[2,-1]}"; do
        [[ -n $entry ]] || continue
        word=${entry%%$'\t'*}
        shown=$word
        [[ $entry == *$'\t'* ]] && shown="$word  -- ${entry#*$'\t'}"
        if [[ $word == *[/:=\(,] ]]; then
            open+=("$word"); open_shown+=("$shown")
        else
            closed+=("$word"); closed_shown+=("$shown")
        fi
    done
    (( $#open )) && compadd -Q -U -l -S '' -d open_shown -a open
    (( $#closed )) && compadd -Q -U -l -d closed_shown -a closed
    (( $#open + $#closed ))
}
if [[ $funcstack[1] == _bazelscope ]]; then
    _bazelscope "$@"
elif (( $+functions[compdef] )); then
    compdef _bazelscope bazelscope
fi
