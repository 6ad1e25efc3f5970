import { render } from 'preact'
import { registerWorker } from './notices/register-worker.ts'
import { App } from './shell/app.tsx'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './style.css'

const root = document.getElementById('app')
if (root) render(<App />, root)
registerWorker()
