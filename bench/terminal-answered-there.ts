import { answeredFigure } from './harness/user/answered-terminal.ts'

export const figure = answeredFigure(
  {
    id: 'terminal (answered there)',
    title: 'a question from the key in its terminal until the hub knows that it is over',
  },
  async (terminal, question) => {
    terminal.pressYes()
    await question.isOver()
  },
)
