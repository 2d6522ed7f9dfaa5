@rem The `exec` of npm's scripts, for Windows: other systems' shells have it. It replaces the shell, so that signals reach the program.
@%*
