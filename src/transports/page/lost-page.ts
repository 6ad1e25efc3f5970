import { fileOf } from './page-files.ts'

/** What a browser gets at an address where there is nothing for it. */
export const LOST_PAGE = fileOf(
  '/lost.html',
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Plexus: no such page</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/plain.css">
<h1>There is no such page</h1>
<p>The page of this hub is at its first address: <a href="/">open the inbox</a>.</p>
<p>Programs use <code>POST /rpc</code> and <code>GET /events</code>, with a token.</p>
</html>
`,
)
