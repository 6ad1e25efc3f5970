import { wordSet } from './word-set.ts'

/** Programs that run what they read, line by line, as a shell does. */
export const SHELLS: ReadonlySet<string> = wordSet(`
sh bash rbash zsh dash ash fish ksh mksh pdksh oksh loksh lksh yash posh csh tcsh elvish nu nushell xonsh osh
ysh rc es sash hush scsh murex pwsh powershell cmd cmd.exe bash.exe sh.exe bash-static zsh-static static-sh
sh.distrib`)

/** What a shell itself has to run, or to change, what follows. */
export const SHELL_WORDS: ReadonlySet<string> = wordSet(`
busybox busybox-static toybox eval exec command builtin source . trap alias coproc if then else elif while until
for do case select function time export declare typeset local readonly enable hash set shopt bind complete
compgen mapfile readarray`)

/** Programs that run the command given as their arguments. */
export const WRAPPERS: ReadonlySet<string> = wordSet(`
env xargs parallel sem sudo doas su runuser newgrp pkexec setpriv nohup nice ionice timeout watch setsid stdbuf
unbuffer script scriptreplay expect autoexpect flock chroot unshare nsenter bwrap firejail prlimit taskset chrt
numactl setarch arch capsh strace ltrace perf valgrind gdb lldb entr at batch crontab systemd-run systemd-nspawn
machinectl start-stop-daemon daemon daemonize screen tmux dbus-run-session xvfb-run hyperfine caffeinate open
xdg-open osascript launchctl xcrun ld.so dtach socat nc ncat netcat run-parts sg linux32 linux64 i386 x86_64
uname26 choom runcon cgexec chpst gosu su-exec setuidgid softlimit envdir tini dumb-init ssh-agent gpg-agent
dbus-launch faketime fakeroot proot proxychains proxychains4 torsocks torify catchsegv rlwrap cpulimit eatmydata
trickle sandbox-exec flatpak-spawn distrobox toolbox wsl lxc-attach nodemon watchexec onchange chokidar
concurrently cross-env cross-env-shell env-cmd dotenv dotenvx shx corepack sshpass autossh rsh rexec pdsh pssh
parallel-ssh clush mpirun mpiexec srun sbatch chronic ifne mispipe pee zrun aws-vault chamber foreman honcho
forego genv gxargs gnohup gnice gtimeout gstdbuf gchroot gtime`)

/** Programs with a language of their own, in which others can be started. */
export const INTERPRETERS: ReadonlySet<string> = wordSet(`
awk gawk mawk nawk original-awk sed gsed ed red ex vi vim gvim rvim vimdiff nvim view emacs emacsclient nano dc m4
perl python pypy ipython node nodejs deno bun tsx ts-node zx ruby irb pry rails php lua luajit tclsh wish guile
racket scheme clisp sbcl julia octave r rscript java jshell jrunscript groovy scala kotlin clojure erl elixir iex
ghci runghc ocaml swift dotnet sqlite3 psql mysql mariadb mongosh redis-cli gnuplot exiftool latexmk tex latex
pdflatex xelatex lualatex puppet salt salt-call lftp ftp sftp mutt mailx django-admin`)

/** Programs with an option for what to run, and those that fetch a program and start it. */
export const STARTERS: ReadonlySet<string> = wordSet(`
find gfind fd fdfind ssh mosh scp rsync tar gtar bsdtar zip less more man cmake ninja npx pnpx bunx uvx pipx
nix nix-shell ansible vagrant direnv mise asdf fzf sk rpm rpmbuild`)

/** Programs with subcommands, and those subcommands that run their arguments, or whatever a repository or image says. */
export const UNSAFE_SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: 'bisect submodule rebase filter-branch config difftool mergetool hook for-each-repo remote-ext',
    npm: 'exec x init create explore config set',
    pnpm: 'exec dlx create config',
    yarn: 'exec dlx create node config',
    cargo: 'run install',
    go: 'run generate tool vet',
    docker: 'run exec compose build buildx create cp',
    'docker-compose': 'run exec',
    podman: 'run exec compose build create cp unshare ssh',
    nerdctl: 'run exec compose build create cp',
    buildah: 'run',
    ctr: 'run exec',
    crictl: 'exec',
    lxc: 'exec',
    kubectl: 'run exec debug plugin config edit',
    oc: 'run exec debug rsh plugin config edit',
    helm: 'plugin install upgrade',
    gh: 'alias extension api codespace config',
    jj: 'util config',
    pip: 'config',
    pip3: 'config',
    uv: 'run tool x',
    poetry: 'run config',
    pipenv: 'run',
    pdm: 'run',
    hatch: 'run',
    rye: 'run',
    pixi: 'run',
    conda: 'run',
    mamba: 'run',
    micromamba: 'run',
    tox: 'exec',
    bundle: 'exec config',
    rbenv: 'exec',
    pyenv: 'exec',
    rvm: 'do exec',
    nvm: 'exec run',
    fnm: 'exec',
    volta: 'run',
    guix: 'shell environment',
    nx: 'exec',
    lerna: 'exec',
    pm2: 'start exec',
    op: 'run',
    doppler: 'run',
    infisical: 'run',
    sops: 'exec-env exec-file',
    heroku: 'run',
    fly: 'ssh',
    flyctl: 'ssh',
    gcloud: 'ssh',
    flatpak: 'run',
    ray: 'exec',
    ip: 'netns vrf',
    make: '',
    gmake: '',
    just: '',
  }).map(([program, subcommands]) => [program, wordSet(subcommands)] as const),
)
