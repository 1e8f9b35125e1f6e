import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerContext } from '../http/server-context.ts'
import type { Api } from './endpoint.ts'

/** Files of Swagger UI, by name, with their type. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Echelon API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true })
`

/** Swagger UI sets styles from its script and shows its icons as data; it needs nothing else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The OpenAPI document, and a page that shows it without the network. */
export function docsRoutes({ app, document }: Api, { version }: ServerContext): void {
  // The address that the command prints redirects to the page.
  app.get('/', (c) => c.redirect('/docs'))
  app.get('/openapi.json', (c) => c.json(document.document(version)))
  app.get('/docs', (c) => c.html(PAGE, 200, { 'content-security-policy': POLICY }))
  app.get('/docs/start.js', (c) => c.body(START, 200, { 'content-type': SCRIPT }))
  const folder = swaggerFolder()
  for (const [name, type] of Object.entries(FILES)) {
    app.get(`/docs/${name}`, async (c) =>
      c.body(await readFile(join(folder, name), 'utf8'), 200, {
        'content-type': type,
        'cache-control': 'public, max-age=3600',
      }),
    )
  }
}

/**
 * The built package carries the files, since installing the package that they come from sends statistics. In the
 * repository they are read from it.
 */
function swaggerFolder(): string {
  const carried = fileURLToPath(new URL('./swagger-ui/', import.meta.url))
  if (existsSync(carried)) return carried
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

const SCRIPT = 'text/javascript; charset=utf-8'
