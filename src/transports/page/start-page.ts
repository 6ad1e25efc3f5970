import { VERSION } from '../../base/version.ts'

/** What a browser gets where the page was not built. */
export const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Plexus</title>
<h1>Plexus ${VERSION}</h1>
<p>This is the hub: it runs Claude Code sessions and asks before anything happens.</p>
<p>Programs use it with <code>POST /rpc</code> and <code>GET /events</code>, with the token from <code>operator.token</code> in its home folder.</p>
</html>
`
