/** Several questions answered at once, what was listed named by its line, and an input edited before it is allowed. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandHub } from '../rig/hubs/command-hub.ts'
import { hasTerminal } from '../rig/tools/terminal.ts'

/** Two sessions: the first has asked two questions, the second two and one that asks for a choice. */
async function waiting() {
  const hub = await commandHub()
  const [web, api] = [await hub.session('web'), await hub.session('api')]
  for (const session of [web, api])
    for (const command of ['touch one', 'touch two']) await hub.ask(session, { command })
  const options = [
    { label: 'red', description: '' },
    { label: 'blue', description: '' },
  ]
  const questions = [{ question: 'Which?', header: 'Colour', options, multiSelect: false }]
  await hub.ask(api, { questions }, 'AskUserQuestion')
  const open = async () => (await hub.engine.pending(hub.operator, {})).map(({ shortId }) => shortId)
  return { ...hub, open }
}

test('several questions are one decision: one that is settled keeps all from being answered', async () => {
  const { plexus, open } = await waiting()
  expect((await plexus('pending', '-q')).stdout).toBe('web.1\nweb.2\napi.1\napi.2\napi.3\n')
  expect(await plexus('deny', 'api.1', '-q')).toEqual({ exitCode: 0, stdout: 'api.1\n', stderr: '' })
  const refused = await plexus('allow', 'web.1', 'api.1', 'web.2')
  expect(refused).toMatchObject({ exitCode: 5, stdout: '' })
  expect(refused.stderr).toContain('plexus: api.1: This question is denied by operator already')
  expect(await open()).toEqual(['web.1', 'web.2', 'api.2', 'api.3'])
  expect(await plexus('allow', 'web.1', 'api.2')).toMatchObject({
    exitCode: 0,
    stdout: 'web.1 allowed: wants to run: touch one\napi.2 allowed: wants to run: touch two\n',
  })
  expect(await open()).toEqual(['web.2', 'api.3'])
})

test('one question is allowed by any of its names, and a refusal says why', async () => {
  const { plexus, open, engine, operator } = await waiting()
  const [, second] = await engine.pending(operator, { sessionId: 'web' })
  expect(await plexus('allow', 'web.1', '--color', 'pink')).toMatchObject({ exitCode: 2, stdout: '' })
  expect(await open()).toContain('web.1')
  expect(await plexus('allow', 'web.1')).toEqual({
    exitCode: 0,
    stdout: 'web.1 allowed: wants to run: touch one\n',
    stderr: '',
  })
  const { stdout } = await plexus('allow', second?.id ?? '', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ v: 1, id: second?.id, shortId: 'web.2', status: 'allowed' })
  const again = await plexus('allow', second?.id ?? '')
  expect(again).toMatchObject({ exitCode: 5, stdout: '' })
  expect(again.stderr).toContain('plexus: web.2: This question is allowed by operator already')
  expect(await plexus('allow', 'web')).toMatchObject({ stderr: 'plexus: web has no open question.\n' })
  expect(await plexus('allow', 'nobody.1')).toMatchObject({
    stderr: 'plexus: There is no question nobody.1; plexus pending lists those that are open.\n',
  })
  const choice = await plexus('allow', 'api.3')
  expect(choice).toMatchObject({ exitCode: 2, stdout: '' })
  expect(choice.stderr).toContain('api.3 asks for a choice; plexus answer api.3 "the choice" gives one.')
  expect(await open()).toEqual(['api.1', 'api.2', 'api.3'])
})

test('--all says what it covers, and without a person only with --yes and the number that was seen', async () => {
  const { plexus, open } = await waiting()
  const before = await open()
  const asked = await plexus('allow', '--all')
  expect(asked).toMatchObject({ exitCode: 2, stdout: '' })
  expect(asked.stderr).toBe(
    '  web.1  wants to run: touch one\n  web.2  wants to run: touch two\n' +
      '  api.1  wants to run: touch one\n  api.2  wants to run: touch two\n- api.3  asks: Which?\n' +
      '  Those with - ask for a choice and are left open.\n' +
      'plexus: Nobody can be asked here: plexus allow --all --yes --expect 4 answers what is listed above.\n',
  )
  expect(await plexus('allow', '--all', '--yes')).toMatchObject({ exitCode: 2 })
  const other = await plexus('allow', '--all', 'web', '--yes', '--expect', '3')
  expect(other).toMatchObject({ exitCode: 5, stdout: '' })
  expect(other.stderr).toContain('You expect 3, and there are 2, so nothing was answered.')
  expect(await plexus('allow', '--all', 'web', 'api')).toMatchObject({ exitCode: 2 })
  expect(await plexus('allow')).toMatchObject({ exitCode: 2 })
  expect(await open()).toEqual(before)
  expect(await plexus('allow', '--all', 'web', '--yes', '--expect', '2', '-q')).toMatchObject({
    exitCode: 0,
    stdout: 'web.1\nweb.2\n',
  })
  expect(await plexus('deny', '--all', '--yes', '--expect', '3', '-m', 'no')).toMatchObject({ exitCode: 0 })
  expect(await plexus('pending')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Nothing waits for an answer.\n',
  })
  expect(await plexus('deny', '--all')).toMatchObject({
    exitCode: 0,
    stderr: 'Nothing waits for such an answer.\n',
  })
})

test('an input is replaced by JSON from a file, and the record says that it was edited', async () => {
  const { plexus, folder, engine, operator } = await waiting()
  const file = join(folder, 'input.json')
  for (const [text, problem] of [
    ['{', 'It is not JSON'],
    ['[]', 'The input must be a JSON object.'],
  ] as const) {
    await writeFile(file, text)
    const refused = await plexus('allow', 'web.1', '--input', file)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(`plexus: --input: ${problem}`)
  }
  expect(await plexus('allow', 'web.1', '--edit')).toMatchObject({ exitCode: 2 })
  await writeFile(file, '{"command":"touch three"}')
  expect(await plexus('allow', 'web.1', 'web.2', '--input', file)).toMatchObject({ exitCode: 2 })
  expect(await plexus('allow', 'web.1', '--input', file)).toMatchObject({ exitCode: 0 })
  expect(await engine.getApproval(operator, { approvalId: 'web.1' })).toMatchObject({
    decision: { behavior: 'allow', updatedInput: { command: 'touch three' } },
  })
  await plexus('deny', 'api.2', '-m', 'no')
  const rows = (await plexus('decisions')).stdout.split('\n').slice(1, -1)
  expect(rows.map((row) => row.replace(/^.{14} +/, '').replaceAll(/ +/g, ' '))).toEqual([
    'api.2 denied operator (command line) touch two (reason: no)',
    'web.1 allowed as edited operator (command line) touch one → touch three',
  ])
  expect((await plexus('decisions', 'web', '-q')).stdout).toBe('web.1\n')
  const { decisions } = JSON.parse((await plexus('decisions', '--json', '--limit', '1')).stdout) as {
    decisions: object[]
  }
  expect(decisions).toMatchObject([
    { shortId: 'api.2', status: 'denied', message: 'no', via: 'command_line' },
  ])
  const edit = { edited: true, input: { command: 'touch one' }, approvedInput: { command: 'touch three' } }
  expect(JSON.parse((await plexus('show', 'web.1', '--json')).stdout)).toMatchObject({ question: edit })
  await plexus('answer', 'api.3', '2')
  const edited =
    /allowed as edited by operator.*\n[^=]*approved as edited:\n +- touch one\n +\+ touch three\n/
  const denied = /denied by operator.*\n[^=]*reason: no\n/
  const answered = /answer to Which\?: blue\n/
  for (const [command, ...patterns] of [
    ['show web.1', edited],
    ['logs web', edited],
    ['export web', edited],
    ['show api.2', denied],
    ['show api.3', answered],
    ['logs api', denied, answered],
    ['export api', denied, answered],
  ] as const) {
    const { stdout } = await plexus(...command.split(' '))
    for (const pattern of patterns) expect(stdout).toMatch(pattern)
  }
  expect((await plexus('decisions', 'api')).stdout).toContain('asks: Which? → blue\n')
  expect(await plexus('decisions', '--limit', '0')).toMatchObject({ exitCode: 2 })
})

test('more time is on record, with who gave it', async () => {
  const { plexus, session, ask } = await commandHub()
  const web = await session('web', { timeoutMs: 60_000 })
  await ask(web, { command: 'ls' })
  expect(await plexus('extend', 'web.1', '--for', '2h')).toMatchObject({ exitCode: 0 })
  expect((await plexus('logs', 'web')).stdout).toMatch(
    /\n\+ more time until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, by operator\n$/,
  )
})

test('a line of a list is for a terminal alone', async () => {
  const { plexus } = await waiting()
  await plexus('pending')
  expect(await plexus('allow', '@1')).toMatchObject({
    exitCode: 2,
    stderr: 'plexus: @1 is a line of the last list of a terminal, and this is none; use a name or an id.\n',
  })
})

test.skipIf(!hasTerminal)(
  'at a terminal a line of the last list stands for what it showed, or is refused',
  async () => {
    const { plexus, shell, open, session } = await waiting()
    const { type, ends } = await shell()
    type('plexus allow @1')
    expect(await ends(1)).toContain(
      'This terminal has seen no list yet; plexus ls and plexus pending print one.',
    )
    type('plexus pending -q')
    await ends(0)
    await plexus('deny', 'web.1')
    type('plexus allow @2 @1')
    expect(await ends(5)).toContain(
      '@1 was web.1 in the last list of this terminal, and it is denied by now; list again.',
    )
    type('plexus allow @9')
    expect(await ends(1)).toContain('The last list of this terminal has 5 lines, so there is no @9.')
    expect(await open()).toEqual(['web.2', 'api.1', 'api.2', 'api.3'])
    type('plexus deny @2')
    expect(await ends(0)).toContain('web.2 denied')
    // A session stands for its only question, as long as that is the one it had.
    await session('docs')
    await plexus('deny', 'api.2', 'api.3')
    type('plexus ls -q')
    await ends(0)
    type('plexus show @1')
    expect(await ends(0)).toContain('api')
    type('plexus allow @1')
    expect(await ends(0)).toContain('api.1 allowed')
    type('plexus allow @1')
    expect(await ends(5)).toContain('and its questions are others now; list again.')
    type('plexus rename @1 other')
    expect(await ends(0)).toContain('It is called other now.')
  },
)

test.skipIf(!hasTerminal)('at a terminal --all asks first, and Ctrl-C is exit code 130', async () => {
  const { shell, open } = await waiting()
  const { type, ends, sees, press } = await shell()
  const before = await open()
  type('plexus deny --all')
  await sees('deny all 5? [y/n]')
  press('C-c')
  await ends(130)
  type('plexus deny --all')
  await sees(/deny all 5\? \[y\/n\] *\n(.*\n)*.*deny all 5\? \[y\/n\] *$/m)
  press('n', 'Enter')
  expect(await ends(1)).toContain('Nothing was answered.')
  type('plexus deny --all --no-input')
  expect(await ends(2)).toContain('Nobody can be asked here')
  expect(await open()).toEqual(before)
  type('plexus deny --all web')
  await sees('deny all 2? [y/n]')
  press('perhaps', 'Enter')
  // What is typed before a question is asked is no answer to it.
  await sees(/(deny all 2\? \[y\/n\][^]*){2}/)
  press('y', 'Enter')
  expect(await ends(0)).toContain('web.2 denied')
})

test.skipIf(!hasTerminal)(
  'what would run is edited in the editor, shown as a change, and allowed after a yes',
  async () => {
    const { shell, folder, engine, operator, ask, session } = await waiting()
    const editor = join(folder, 'my-editor')
    await writeFile(editor, `#!/bin/sh\ncat "$1" >> '${folder}/seen'\ncat '${folder}/new' > "$1"\n`, {
      mode: 0o755,
    })
    const { type, ends, sees, press } = await shell({ EDITOR: editor })
    await writeFile(join(folder, 'new'), 'touch four\n')
    type('plexus allow web.1 --edit')
    expect(await sees('Allow it so? [y/n]')).toContain('- touch one\n+ touch four\n')
    press('y', 'Enter')
    expect(await ends(0)).toContain('web.1 allowed as edited: touch four\n')
    expect(await readFile(join(folder, 'seen'), 'utf8')).toBe('touch one\n')
    expect(await engine.getApproval(operator, { approvalId: 'web.1' })).toMatchObject({
      decision: { updatedInput: { command: 'touch four' } },
    })
    await ask(await session('docs'), { file_path: '/a', content: 'one' }, 'Write')
    await writeFile(join(folder, 'new'), '{"file_path":')
    type('plexus allow docs.1 --edit')
    expect(await sees('Edit it again? [y/n]')).toContain('It is not JSON')
    await writeFile(join(folder, 'new'), '{"file_path": "/b", "content": "one"}')
    press('y', 'Enter')
    expect(await sees(/in place of:(.*\n)*Allow it so\? \[y\/n\]/)).toMatch(
      /\/b\n\+ one\n(.*\n)*in place of:\n\/a\n/,
    )
    press('n', 'Enter')
    // A key is seen once, at a second question too.
    const refused = await ends(1)
    expect(refused).toContain('Nothing was answered.')
    expect(refused).toMatch(/Allow it so\? \[y\/n\] n$/m)
    expect(await engine.getApproval(operator, { approvalId: 'docs.1' })).toMatchObject({ status: 'pending' })
  },
)

test.skipIf(!hasTerminal)(
  'what is longer than the screen goes to the pager, but not as JSON, without input or while it follows',
  async () => {
    const { shell, folder, ask, session } = await commandHub()
    const lines = Array.from({ length: 40 }, (_, index) => `echo ${index}`)
    await ask(await session('web'), { command: lines.join('\n') })
    const pager = join(folder, 'my-pager')
    await writeFile(pager, `#!/bin/sh\necho "paged with $LESS"; cat > '${folder}/paged'\n`, { mode: 0o755 })
    const { type, ends, sees, press } = await shell({ PLEXUS_PAGER: pager, PAGER: 'false' })
    type('plexus show web.1')
    expect(await ends(0)).toContain('paged with FRX')
    expect(await readFile(join(folder, 'paged'), 'utf8')).toContain('    echo 39\n')
    for (const flag of ['--json', '--no-input']) {
      type(`plexus show web.1 ${flag}`)
      expect(await ends(0)).toContain('echo 39')
    }
    type('PLEXUS_PAGER=no-such-pager plexus show web.1')
    expect(await ends(0)).toContain('    echo 39')
    type('plexus logs -f web')
    await sees('? asks about Bash echo 0')
    press('C-c')
    // A shell runs nothing more of a line whose command was ended by Ctrl-C, and forgets what is typed before it has its prompt.
    await sees(/\^C\s*\$\s*$/)
    press('-l', 'echo "left with $?"')
    press('Enter')
    await sees(/^left with 130$/m)
  },
)

test('a reader that has seen enough ends a command without a word', async () => {
  const { session, ask, run, project } = await commandHub()
  await ask(await session('web'), { command: 'echo\n'.repeat(50_000) })
  await writeFile(
    join(project, 'heads'),
    'for command in "show web.1" "logs web" ls pending "export web"; do plexus $command | head -n 1; done\n',
  )
  const { stdout, stderr } = await run('sh', 'heads')
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toHaveLength(6)
})

test('answer is for choices: a yes or no is refused by name, and so is a number that no option has', async () => {
  const { plexus, open } = await waiting()
  const before = await open()
  expect(await plexus('answer', 'web.1', 'yes')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'plexus: web.1 asks for a yes or a no; plexus allow web.1 or plexus deny web.1 answers it.\n',
  })
  expect((await plexus('answer', 'api.3', '3')).stderr).toContain(
    'api.3: There are 2 options, so 3 is none of them',
  )
  expect((await plexus('allow', 'web.1', 'api.3')).stderr).toContain('api.3 asks for a choice')
  expect(await open()).toEqual(before)
  expect(await plexus('answer', 'api.3', '2')).toMatchObject({ exitCode: 0 })
})
