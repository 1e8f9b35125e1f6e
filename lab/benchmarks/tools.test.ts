import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('./tools.ts', import.meta.url))

/** Standard output and status of the benchmark on a folder. */
async function bench(folder: string): Promise<{ stdout: string; status: unknown }> {
  const options = { env: { ...process.env, ECHELON_DATA: folder }, timeout: 60_000 }
  const args = ['--conditions=echelon-source', program, '--brief']
  try {
    return {
      stdout: (await promisify(execFile)(process.execPath, args, options)).stdout,
      status: 0,
    }
  } catch (error) {
    if (error instanceof Error && 'stdout' in error && 'code' in error) {
      return { stdout: String(error.stdout), status: error.code }
    }
    throw error
  }
}

suite('the tools benchmark', () => {
  test('reports and skips missing data, and prints figures that need none', async () => {
    const { stdout, status } = await bench(join(tmpdir(), 'no-such-folder'))
    assert.equal(status, 0)
    for (const file of ['calc_gsm8k', 'math_svamp', 'stock_aapl_2015_2017']) {
      assert.match(stdout, new RegExp(`^${file}\\.jsonl .* absent: skipped$`, 'm'))
    }
    assert.match(stdout, /^calculator, cold call: [\d.]+ ms, [\d.]+ times/m)
    assert.match(stdout, /^calculator, warm call: [\d.]+ ms, [\d.]+ times/m)
  })

  test('names the keys of a file that it cannot read, measures the rest, and fails', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-'))
    try {
      await writeFile(join(folder, 'calc_gsm8k.jsonl'), '{"left":"1+1","right":2}\n')
      await writeFile(
        join(folder, 'math_svamp.jsonl'),
        '{"Equation":"( 8.0 - 3.0 )","Answer":5.0}\n',
      )
      const { stdout, status } = await bench(folder)
      assert.equal(status, 1)
      assert.match(
        stdout,
        /^gsm8k .* no row of calc_gsm8k\.jsonl has .*its keys are: left, right$/m,
      )
      assert.match(stdout, /^math_svamp\.jsonl +1 +1 +1 +- +- +100\.00 %/m)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
