import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { inPage } from '../browser.ts'
import type { World } from '../world.ts'

/** Gzipped bytes of what the page is before charts and forms are loaded. */
const MOST_BYTES = 250_000
const USABLE_WITHIN_MS = 1000

/** Properties of the page as a whole: its size, its speed, and its security policy. */
export function page(world: () => World): void {
  suite('the page', () => {
    test('is at most 250 KB gzipped before its charts are loaded, and holds no other font or script', () => {
      const { built } = world()
      const sizes = firstFiles(built).map(
        (file) => gzipSync(readFileSync(join(built, file))).length,
      )
      assert.ok(sizes.length >= 2)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
      for (const file of globSync('**/*.{js,css,html}', { cwd: built })) {
        const text = readFileSync(join(built, file), 'utf8')
        assert.doesNotMatch(
          text,
          /@import\s+url\(["']?https?:|src=["']https?:|new Function\(/,
          file,
        )
      }
    })

    test('carries the licenses of what it is made of', () => {
      const text = readFileSync(join(world().built, 'licenses.txt'), 'utf8')
      for (const name of ['react', '@mantine/core', '@tanstack/react-router', '@rjsf/core']) {
        assert.match(text, new RegExp(`## ${name} - `), name)
      }
    })

    test('is usable within a second', async (t) => {
      const times: number[] = []
      for (let tries = 0; tries < 3; tries++) {
        const { page, context } = await world().view('/runs')
        await page.getByRole('link', { name: 'Start a run' }).waitFor()
        times.push(await inPage(page, 'usableAt'))
        await context.close()
      }
      // Where more wants to run than there are processors, the page gets its share.
      const share = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
      t.diagnostic(
        `usable after ${Math.min(...times).toFixed(0)} ms, at a load of ${share.toFixed(1)}`,
      )
      assert.ok(Math.min(...times) < USABLE_WITHIN_MS * share, times.join(', '))
    })

    test('has a policy that forbids inline script, and nothing on it breaks the policy', async () => {
      const { page, context, problems } = await world().view('/runs')
      await page.getByRole('heading', { name: 'Runs' }).waitFor()
      const ran = await inPage(
        page,
        `(() => {
          const script = document.createElement('script')
          script.textContent = 'globalThis.inlineRan = true'
          document.body.append(script)
          return 'inlineRan' in globalThis
        })()`,
      )
      assert.equal(ran, false)
      assert.match(problems.join('\n'), /script-src|Content Security Policy/)
      await context.close()
    })

    test('leads from / to the page, and an unknown address says so', async () => {
      const { page, context, problems } = await world().view('/no/such/view')
      await page.getByRole('heading', { name: 'No such page' }).waitFor()
      await page.goto('/')
      await page.getByRole('navigation', { name: 'Views' }).waitFor()
      assert.match(page.url(), /\/studio\/$/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('is used by keyboard: skip link, search, colors; and on a phone by a menu', async () => {
      const { page, context } = await world().view('/runs')
      await page.getByRole('heading', { name: 'Runs' }).waitFor()
      await page.keyboard.press('Tab')
      assert.equal(await inPage(page, 'document.activeElement.textContent'), 'Skip to the content')
      await page.keyboard.press('/')
      await page.keyboard.type('nothing like it')
      await page.getByText('No run matches').waitFor()
      const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
      const before = await scheme()
      await page.keyboard.press('Escape')
      await page.locator('h1').click()
      await page.keyboard.press('Control+j')
      assert.notEqual(await scheme(), before)
      await context.close()
      const phone = await world().view('/runs', { width: 390 })
      // The links of a closed menu are not in the tab order.
      assert.equal(await phone.page.getByRole('link', { name: 'Costs' }).isVisible(), false)
      await phone.page.getByRole('button', { name: 'Open the menu' }).click()
      await phone.page.getByRole('link', { name: 'Costs' }).click()
      await phone.page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor()
      await phone.context.close()
    })
  })
}

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** The files that are loaded with the page itself. */
function firstFiles(built: string): readonly string[] {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
    readFileSync(join(built, '.vite/manifest.json'), 'utf8'),
  )
  const found = new Set<string>()
  const add = (chunk: Chunk | undefined): void => {
    if (chunk === undefined || found.has(chunk.file)) return
    found.add(chunk.file)
    for (const css of chunk.css ?? []) found.add(css)
    for (const name of chunk.imports ?? []) add(manifest[name])
  }
  for (const chunk of Object.values(manifest)) if (chunk.isEntry === true) add(chunk)
  return [...found]
}
