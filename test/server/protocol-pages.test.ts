import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { ScriptedAnswer } from 'echelon/testing'
import { ROOT } from '../compile.ts'
import { decider, scripted, serving } from './served.ts'

/** The scripts of a page, in order. */
const scriptsOf = (page: string): readonly string[] =>
  [
    ...readFileSync(join(ROOT, 'docs/guides/protocols', page), 'utf8').matchAll(
      /^```js\n(.*?)^```$/gms,
    ),
  ].map(([, code = '']) => code)

/** Inside `node_modules`, where packages are found as in a user's project. */
function scratch(): string {
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, 'pages-'))
}

/** For each script, the model's answers and the expected output. */
const PAGES: Readonly<Record<string, readonly (readonly [readonly ScriptedAnswer[], RegExp])[]>> = {
  'openai.md': [
    [[], /^345\noffline\/small proved\n0\n$/],
    [
      [{ toolCalls: [{ tool: 'weather', input: { city: 'Bonn' } }] }, 'It rains in Bonn.'],
      /^It rains in Bonn\.\n$/,
    ],
    [['{"city":"Rome"}'], /^Rome\n$/],
  ],
  'rest.md': [
    [[], /^(?:calculator ok\n)+345 proved 0\n$/],
    // Nothing waits.
    [[], /^$/],
    [[], /model: 'offline\/big'/],
  ],
  'ag-ui.md': [[[], /^345\n$/]],
  'mcp.md': [[[], /^345 proved\n$/]],
  'ai-sdk-ui.md': [[[], /^stop verified\n(?:.*\n)*345\n(?:.*\n)*0\n$/]],
}

for (const [page, runs] of Object.entries(PAGES)) {
  const scripts = scriptsOf(page)
  test(`each script of ${page} is run here`, () => assert.equal(scripts.length, runs.length))
  for (const [at, [script, output]] of runs.entries()) {
    test(`script ${at + 1} of ${page} runs as it stands`, async (t) => {
      const { url } = await serving(t, async (store) => [
        await decider(store),
        scripted(store, script),
      ])
      const folder = scratch()
      t.after(() => rmSync(folder, { recursive: true }))
      const file = join(folder, 'script.mjs')
      writeFileSync(file, (scripts[at] ?? '').replaceAll('http://127.0.0.1:3000', url))
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--conditions=echelon-source', file],
        { timeout: 60_000 },
      )
      assert.match(stdout, output)
    })
  }
}
