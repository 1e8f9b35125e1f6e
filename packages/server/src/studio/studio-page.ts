import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { HttpProblem } from '../http/problem.ts'
import type { Protocol } from '../http/server-context.ts'

/** Where the page is. Its own addresses are below, so that none of them is one of the API. */
const PATH = '/studio'

/** In `index.html`, where the nonce of the style elements belongs that the page makes itself. */
const NONCE = 'ECHELON_NONCE'

/**
 * Serves the built page of the Studio to everybody who reaches the server: it holds no data, and asks for a token.
 * Every address of a view gives the page, and `/` leads to it.
 * @param folder of the built files, such as `dist` of `@echelon/studio`
 */
export const studioPage = (folder: string): Protocol => ({
  name: 'studio',
  open: ['/', PATH, `${PATH}/*`],
  mount(app) {
    app.get('/', (c) => c.redirect(`${PATH}/`))
    app.get(PATH, (c) => c.redirect(`${PATH}/`))
    app.use(
      `${PATH}/assets/*`,
      serveStatic({
        root: folder,
        precompressed: true,
        rewriteRequestPath: (path) => path.slice(PATH.length),
        // Their names hold a digest of their content.
        onFound: (_, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
      }),
    )
    app.get(`${PATH}/assets/*`, () => {
      throw new HttpProblem(404, 'not_found', 'the page has no such file; load it again')
    })
    app.get(`${PATH}/*`, async (c) => {
      const nonce = randomBytes(16).toString('base64')
      const page = await readFile(join(folder, 'index.html'), 'utf8')
      return c.html(page.replaceAll(NONCE, nonce), 200, {
        'content-security-policy': policyWith(nonce),
        'cache-control': 'no-cache',
      })
    })
  },
})

/** Scripts and data come from the server alone; pictures also from what the page has downloaded. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
