import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { a2aServing, folderOf, offlineDecider } from './a2a-served.ts'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const PAGE = readFileSync(join(ROOT, 'docs/guides/protocols/a2a.md'), 'utf8')

const blocksOf = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  )

test('[DD-19] the lines of the guide to A2A run as they are', async (t) => {
  const { url } = await a2aServing(t, async (store) => [await offlineDecider(store)])
  const here = (code: string): string => code.replaceAll('http://127.0.0.1:3000', url)
  const folder = await folderOf(t)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const programs = blocksOf('ts')
  assert.equal(programs.length, 2)
  for (const [index, code] of programs.entries()) {
    const file = join(folder, `program-${index}.ts`)
    writeFileSync(file, here(code))
    const { stdout } = await run(process.execPath, [file])
    assert.match(stdout, /345/)
  }
  const [command = ''] = blocksOf('sh')
  const { stdout } = await run('sh', ['-c', here(command)])
  assert.match(stdout, /"text":"345"/)
})
