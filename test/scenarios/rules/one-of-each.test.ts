import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { carriers, operator, startSessions } from '../../rig/hubs/sessions.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const RULES = {
  v: 1,
  forbid: [{ id: 'no-links', command: 'ln *', because: 'Links lead out.' }],
  rules: [
    { id: 'touch', effect: 'allow', command: 'touch *' },
    { id: 'copies', effect: 'deny', command: 'cp *', because: 'No copies.' },
  ],
}

test.each(carriers)(
  '[U7] [U9] one rule of each kind decides, by the carrier %s, and the record says which',
  async (carrier) => {
    const sessions = await startSessions({
      store: 'sqlite',
      carrier,
      scenario: { main: [bash('touch a'), bash('cp a b'), bash('sudo ln -s / c'), say('done')] },
      prepareHome: (home) => writeFile(join(home, 'rules.json'), JSON.stringify(RULES)),
    })
    const { id } = await sessions.start('go')
    await sessions.settled(id)
    const seen = (await sessions.events(id)).flatMap((event) =>
      event.type === 'tool.seen' ? [[event.opinion, event.verdict?.effect, event.verdict?.ruleId]] : [],
    )
    expect(seen).toEqual([
      ['ask', 'allow', 'touch'],
      ['deny', 'deny', 'copies'],
      ['deny', 'forbid', 'no-links'],
    ])
    expect(await sessions.engine.decisions(operator, { sessionId: id })).toMatchObject([
      {
        status: 'allowed',
        by: 'rule touch',
        via: 'rule',
        verdict: { drawer: 'rules', text: 'allow command "touch *"' },
      },
    ])
    expect(await readdir(sessions.project)).toEqual(['a'])
  },
)
