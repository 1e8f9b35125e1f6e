import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { type ServerAnswer, startModelServer } from 'echelon/testing'
import { asLines, madeTraces, MADE_MODELS } from 'echelon/internal/testing'
import { folderFor, type Ran, runCommand } from './testing/run-command.ts'

const QUESTION = 'Ann buys 7 boxes with 12 pens each. A pen costs $3. What does she pay?'
const direct = (text: string): string =>
  JSON.stringify({ actions: null, answer: text, cannot: null })
const RIGHT = direct('There are 7 × 12 = 84 pens. They cost 84 × $3 = $252.\n#### 252')
const WRONG = direct('There are 7 × 12 = 84 pens. They cost 84 × $3 = $262.\n#### 262')

const reply = (text: string): ServerAnswer => ({ type: 'reply', text: [text] })

/** A folder with a gate that was fitted on traces. */
async function tunedFolder(t: TestContext, ...args: readonly string[]): Promise<string> {
  const folder = folderFor(t)
  const models = [{ model: 'made/opinion', wrong: 0.2, cost: 0.0001 }, ...MADE_MODELS]
  writeFileSync(join(folder, 'traces.jsonl'), asLines(madeTraces({ count: 500, models })))
  const { status, stdout } = await runCommand(
    ['tune', 'traces.jsonl', '--out', 'tuned', '--ladder', 'made/small,made/big', ...args],
    folder,
  )
  assert.equal(status, 0, stdout)
  return folder
}

interface Asked extends Ran {
  readonly requests: number
}

async function decide(
  folder: string,
  script: readonly string[],
  ...args: readonly string[]
): Promise<Asked> {
  await using server = await startModelServer(script.map(reply))
  const models = ['--small', 'openai-compatible/small', '--big', 'openai-compatible/big']
  const ran = await runCommand(
    ['decide', QUESTION, ...models, '--base-url', server.baseUrl, ...args],
    folder,
  )
  return { ...ran, requests: server.requests.length }
}

suite('a gate on the command line', () => {
  const GATE = ['--gate', 'tuned/gate.json', '--accept', '0.7', '--wanted', 'number'] as const

  test('accepts a supported answer with status 4, and never calls it verified', async (t) => {
    const folder = await tunedFolder(t)
    const { status, stdout, requests } = await decide(folder, [RIGHT], ...GATE)
    assert.deepEqual([status, requests], [4, 1], stdout)
    assert.match(stdout, /verify +≈ supported \(0\.\d\d\): /)
    assert.match(stdout, /^252\nSupported, not proved \(confidence 0\.\d\d\): /m)
    assert.match(stdout, /^supported 0\.\d\d · openai-compatible\/small 1×/m)
    assert.doesNotMatch(stdout, /(?<!not )verified|This answer is not proved/)
  })

  test('promotes a wrong one, and says in JSON, costs, audit and runs what became of it', async (t) => {
    const folder = await tunedFolder(t)
    const { status, stdout, requests } = await decide(folder, [WRONG, RIGHT], ...GATE, '--json')
    assert.deepEqual([status, requests], [4, 2])
    const result = JSON.parse(stdout)
    assert.deepEqual(
      [result.answer, result.checked, result.verified, result.finish_reason],
      ['252', 'supported', false, 'supported'],
    )
    assert.ok(result.confidence >= 0.7)
    const costs = await runCommand(['costs', '--by', 'outcome', '--json'], folder)
    assert.deepEqual(
      JSON.parse(costs.stdout).rows.map(({ key }: { key: string }) => key),
      ['supported'],
    )
    const audit = await runCommand(['audit', 'show'], folder)
    assert.match(audit.stdout, /verifier +not_verified +unsupported, .*confidence 0(?:\.\d+)?/)
    assert.match(audit.stdout, /verifier +supported +supported, .*confidence 0\.\d+/)
    const runs = await runCommand(['runs', 'list', '--all'], folder)
    assert.match(runs.stdout, /supported, not proved/)
  })

  test('is read from config.yaml, with the lines that tune prints', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'traces.jsonl'), asLines(madeTraces({ count: 500 })))
    const { stdout } = await runCommand(['tune', 'traces.jsonl', '--out', 'tuned'], folder)
    const [, lines = ''] = /^In config\.yaml.*\n((?:.+\n)+)/m.exec(stdout) ?? []
    assert.match(lines, /^models:\n {2}ladder: \["made\/small","made\/big"\]\ngate:\n/)
    const own = lines.replaceAll('made/', 'openai-compatible/')
    writeFileSync(join(folder, 'config.yaml'), own)
    await using server = await startModelServer([WRONG, RIGHT].map(reply))
    const ran = await runCommand(
      ['decide', QUESTION, '--wanted', 'number', '--base-url', server.baseUrl],
      folder,
    )
    assert.equal(ran.status, 4, `${ran.stdout}${ran.stderr}`)
    assert.equal(server.requests.length, 2)
  })

  test('asks the models of its second opinions', async (t) => {
    const folder = await tunedFolder(t, '--opinions', 'made/opinion')
    const asks = ['--opinions', 'openai-compatible/opinion'] as const
    const { status, stdout, requests } = await decide(
      folder,
      [RIGHT, 'It is 252.\nAnswer: 252'],
      ...GATE,
      ...asks,
    )
    assert.deepEqual([status, requests], [4, 2], stdout)
    assert.match(stdout, /openai-compatible\/opinion 1×/)
    const without = await decide(folder, [], ...GATE)
    assert.equal(without.status, 2)
    assert.match(
      without.stderr,
      /gate\.opinions names 0 models, and .*gate\.json was fitted with 1 model of second opinions/,
    )
  })

  test('refuses options that cannot work with one sentence', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'broken.json'), '{"version":1}')
    for (const [args, sentence] of [
      [['--gate', 'none.json'], /none\.json cannot be used: .*no such file/],
      [['--gate', 'broken.json'], /broken\.json cannot be used: .*has no `features`/],
      [['--accept', '2'], /It must be a number from 0 to 1\./],
      [['--wanted', 'poem'], /Write number, date, yes-no, text, choice=FIRST,SECOND or json=/],
      [['--wanted', 'choice=one'], /choice needs 2 to 50 choices/],
      [['--wanted', 'json=none.json'], /The schema none\.json cannot be read/],
    ] as const) {
      const { status, stderr } = await runCommand(['decide', 'What is it?', ...args], folder)
      assert.equal(status, 2, args.join(' '))
      assert.match(stderr, sentence)
    }
  })
})
