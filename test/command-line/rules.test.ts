import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandHub } from '../rig/hubs/command-hub.ts'

test('suggest, replay, add, explain and revoke at the command line: each change is replayed before it is saved (asked for: 9)', async () => {
  const { session, ask, plexus, folder, engine, operator } = await commandHub()
  const web = await session('web')
  for (const [command, approve] of [
    ['make a', true],
    ['make b', true],
    ['make c', true],
    ['touch x', false],
  ] as const) {
    const { id: approvalId } = await ask(web, { command })
    await engine.answer(operator, { approvalId, approve })
  }
  const file = join(folder, 'new.json')
  await writeFile(
    file,
    JSON.stringify({ v: 1, rules: [{ id: 'any', effect: 'allow', command: ['make a *', 'touch *'] }] }),
  )
  const replayed = await plexus('rules', 'replay', file, '--since', '7d')
  expect(replayed).toMatchObject({ exitCode: 1 })
  expect(replayed.stdout).toContain('newly allowed: 2, of which 1 were denied then')
  expect(replayed.stdout).toContain('web.4  Bash(touch x)  (was denied by operator)  by any')
  expect(replayed.stdout).toContain('unchanged: 2')

  const rules = join(folder, 'home/rules.json')
  const rule = JSON.stringify({ id: 'makes', effect: 'allow', command: 'make a *' })
  expect(await plexus('rules', 'add', rule)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('add --yes'),
  })
  await expect(readFile(rules, 'utf8')).rejects.toThrow('ENOENT')
  const added = await plexus('rules', 'add', rule, '--yes')
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('newly allowed: 1') })
  expect(JSON.parse(await readFile(rules, 'utf8'))).toMatchObject({ rules: [{ id: 'makes' }] })

  const explained = await plexus('rules', 'explain', 'web.1')
  expect(explained.stdout + explained.stderr).toContain('No rule decided it; it is allowed by operator.')
  expect(await plexus('rules', 'revoke', 'makes', '--yes')).toMatchObject({ exitCode: 0 })
  expect(await plexus('rules', 'revoke', 'makes', '--yes')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('There is no rule and no grant makes; plexus rules ls lists them.'),
  })
  expect(JSON.parse(await readFile(rules, 'utf8'))).toMatchObject({ rules: [] })
})

test('import names what cannot be said, and adds the rest; export gives it back (asked for: 6)', async () => {
  const { plexus, folder, engine, operator } = await commandHub()
  const settings = join(folder, 'settings.json')
  await writeFile(
    settings,
    JSON.stringify({
      permissions: { allow: ['Bash(npm test:*)', 'Bash(node:*)'], deny: ['Bash(git push)'] },
    }),
  )
  const imported = await plexus('rules', 'import', settings, '--yes')
  expect(imported.stderr).toContain('Not imported: allow Bash(node:*): it could allow any command')
  expect(imported).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('nothing to compare') })
  const exported = await plexus('rules', 'export')
  const permissions = { allow: ['Bash(npm test *)'], ask: [], deny: ['Bash(git push)'] }
  expect(JSON.parse(exported.stdout)).toEqual({ permissions })
  expect(await engine.exportRules(operator, {})).toEqual({ permissions, notSaid: [] })
  expect(await plexus('rules', 'import', settings, '--yes')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('in rules.json already'),
  })
})

test('the verb importRules saves only what was shown: without the digest nothing, and nothing over another file (asked for: 9)', async () => {
  const { folder, engine, operator } = await commandHub()
  const rules = join(folder, 'home/rules.json')
  const settings = JSON.stringify({ permissions: { allow: ['Bash(npm test:*)', 'Bash(node:*)'] } })
  const shown = await engine.importRules(operator, { settings })
  expect(shown).toMatchObject({
    added: [{ text: 'allow command "npm test *"' }],
    notSaid: [{ rule: 'allow Bash(node:*)' }],
    digest: '',
    replay: { questions: 0 },
    saved: false,
  })
  await expect(readFile(rules, 'utf8')).rejects.toThrow('ENOENT')
  const own = JSON.stringify({ v: 1, rules: [{ id: 'mine', effect: 'ask', command: 'make *' }] })
  await writeFile(rules, own)
  await expect(engine.importRules(operator, { settings, replaces: shown.digest })).rejects.toMatchObject({
    code: 'changed',
  })
  expect(await readFile(rules, 'utf8')).toBe(own)
  const { digest } = await engine.importRules(operator, { settings })
  const saved = await engine.importRules(operator, { settings, replaces: digest })
  expect(saved).toMatchObject({ saved: true, added: [{ id: shown.added[0]?.id }] })
  expect(JSON.parse(await readFile(rules, 'utf8'))).toMatchObject({
    rules: [{ id: 'mine' }, { id: shown.added[0]?.id }],
  })
  expect(await engine.importRules(operator, { settings })).toMatchObject({ added: [], known: 1 })
  await writeFile(rules, '{')
  await expect(engine.importRules(operator, { settings, replaces: '' })).rejects.toThrow('changed meanwhile')
  await expect(engine.importRules(operator, { settings })).rejects.toThrow('it is not JSON')
  const model = { caller: { ...operator.caller, person: false } }
  await expect(engine.importRules(model, { settings })).rejects.toMatchObject({ code: 'forbidden' })
})

test('allow --remember without a scope shows the offers at a terminal, and asks (asked for: 2)', async () => {
  const { session, ask, plexus, shell, engine, operator } = await commandHub()
  const web = await session('web')
  await ask(web, { command: 'make all' })
  expect(await plexus('allow', 'web.1', '--remember')).toMatchObject({ exitCode: 2 })
  const terminal = await shell()
  terminal.type('plexus allow web.1 --remember')
  await terminal.sees(/Which\? \[0\/1\/2\/none\]/)
  terminal.press('2', 'Enter')
  await terminal.sees(/Where\? \[turn\/session/)
  terminal.press('-l', 'session')
  terminal.press('Enter')
  await terminal.ends(0)
  const [grant] = await engine.listGrants(operator, { sessionId: web.id })
  expect(JSON.stringify(grant)).toContain('make all *')
})

test('a verb without its argument says which, with an example (asked for: 9)', async () => {
  const { plexus } = await commandHub()
  for (const [verb, example] of [
    ['check', 'plexus rules check FILE.'],
    ['test', "plexus rules test 'Bash(git push)'."],
    ['explain', 'plexus rules explain QUESTION.'],
    ['revoke', 'plexus rules revoke ID.'],
  ] as const)
    expect(await plexus('rules', verb)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`Say what to ${verb}: ${example}`),
    })
})
