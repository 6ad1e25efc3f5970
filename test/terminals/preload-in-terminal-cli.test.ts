/** A library that a trusted project loads into every program (`LD_PRELOAD` in its `env`): what of the relay it reaches. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../src/demo/scenario.ts'
import { projectSettings } from '../rig/terminals/project-settings.ts'
import { decision, nth, questionHub } from '../rig/terminals/question-hub.ts'
import { PROCEED, say } from '../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../rig/terminals/terminal-place.ts'
import { run } from '../rig/terminals/terminal-scripts.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { hasTerminal } from '../rig/tools/terminal.ts'

const hasCompiler = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** Notes the name of each program that loads it, if that is the relay or was started by it. */
const libraryFor = (trap: string) => `
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int of_relay(int pid) {
  char path[64], line[4096];
  snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  size_t length = fread(line, 1, sizeof line, file);
  fclose(file);
  return memmem(line, length, "terminal-relay.sh", 17) != NULL;
}
__attribute__((constructor)) static void loaded(void) {
  if (!of_relay(getpid()) && !of_relay(getppid())) return;
  FILE *trap = fopen(${JSON.stringify(trap)}, "a");
  if (!trap) return;
  fprintf(trap, "%s\\n", program_invocation_short_name);
  fclose(trap);
}
`

test.runIf(hasTerminal && hasCompiler)(
  'a library that a trusted project preloads is in the sh of the relay and in no program that it starts; the question is asked',
  { timeout: 60_000 },
  async () => {
    const { place, parts, open } = await terminalPlace({ main: [run('mkdir made'), reply('all done')] })
    const trap = join(place.folder, 'trap')
    const [source, library] = [join(place.folder, 'trap.c'), join(place.project, 'trap.so')]
    await writeFile(source, libraryFor(trap))
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, source])
    await projectSettings(place, { env: { LD_PRELOAD: library } })
    const { questions } = await questionHub(parts.socket)
    const terminal = await open()
    await say(terminal, 'begin')
    const asked = await nth(questions, 0)
    expect(asked).toMatchObject({ cliPid: terminal.pid(), input: { cwd: place.project } })
    await terminal.sees(PROCEED)
    // SECURITY.md: the first program is started by Claude Code, with the variables of the project. It starts date, cat and curl.
    expect(await readFile(trap, 'utf8')).toBe('sh\n')
    asked.answer(decision('allow', { updatedInput: asked.input['tool_input'] }))
    await eventually(() => expect(existsSync(join(place.project, 'made'))).toBe(true))
    await terminal.sees('all done')
  },
)
