# Completion of bazelscope in fish. In ~/.config/fish/config.fish:  bazelscope completion fish | source
function __bazelscope_complete
    set -l program (commandline -opc)[1]
    set -l answer ($program complete fish (commandline -cp | string collect) 2>/dev/null)
    switch "$answer[1]"
        case files
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case directories
            __fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '') ''
        case '*'
            string join \n -- $answer[2..-1]
    end
end
complete -c bazelscope -f -a '(__bazelscope_complete)'
