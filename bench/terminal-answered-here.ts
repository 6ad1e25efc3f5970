import { answeredFigure } from './harness/user/answered-terminal.ts'

export const figure = answeredFigure(
  {
    id: 'terminal (answered here)',
    title: 'a question of a terminal from being allowed at the hub until its tool has run',
  },
  async (terminal, question) => {
    await question.allow()
    await terminal.toolRuns()
  },
)
