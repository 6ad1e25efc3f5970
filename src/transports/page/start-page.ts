import { VERSION } from '../../base/version.ts'

/** The page that a browser gets. It is the same for everybody, so it needs no token. */
export const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Plexus</title>
<h1>Plexus ${VERSION}</h1>
<p>This is the hub: it runs Claude Code sessions and asks before anything happens.</p>
<p>Programs use it with <code>POST /rpc</code> and <code>GET /events</code>, with the token from <code>operator.token</code> in its home folder.</p>
</html>
`

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
