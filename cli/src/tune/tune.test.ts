import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite, test, type TestContext } from 'node:test'
import type { TuneReport } from 'echelon/evals'
import { asLines, MADE_MODELS, madeTraces } from 'echelon/internal/testing'
import { calibratedScore, format, readCalibratedModel, steps } from 'echelon/verify'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import { runInProcess } from '../testing/in-process.ts'
import {
  folderFor,
  plainEnvironment,
  type Ran,
  runCommand,
  runWithSignal,
} from '../testing/run-command.ts'

/** The command on made-up traces, in a folder of its own. */
function tuned(t: TestContext, rows: readonly object[], ...args: readonly string[]) {
  const folder = folderFor(t)
  writeFileSync(join(folder, 'traces.jsonl'), asLines(rows))
  return {
    folder,
    read: (file: string): string => readFileSync(join(folder, file), 'utf8'),
    ran: runCommand(['tune', 'traces.jsonl', ...args], folder),
  }
}

const jsonOf = async (ran: Promise<Ran>): Promise<TuneReport> => JSON.parse((await ran).stdout)

suite('echelon tune', () => {
  test('reports on the half that it was not fitted on, and prints the lines to use', async (t) => {
    const { ran } = tuned(t, madeTraces({ count: 900 }))
    const { status, stdout, stderr } = await ran
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^900 tasks of traces\.jsonl: fitted on \d+, reported on the other \d+\n/)
    assert.match(stdout, /^made\/small +6\d\.\d % /m)
    assert.match(stdout, /^made\/small → made\/big +0\.\d{3} ± 0\.\d{3} /m)
    assert.match(stdout, /accuracy against cost of a task\n9\d\.\d % ┤.*◆.*\n +│[^]*┤●\n +└─/)
    assert.match(stdout, /^◆ 0\.\d{4} /m)
    assert.match(stdout, /proposed: made\/small → made\/big, accepts from 0\.\d+ on/)
    assert.match(stdout, /verify: calibratedScore\(gate, \[format, steps\]\),\n {2}accept: 0\.\d+,/)
    assert.doesNotMatch(stdout, /NaN|undefined|Infinity/)
  })

  test('writes a gate that a program reads, the figures, and a page that loads nothing', async (t) => {
    const { ran, read, folder } = tuned(t, madeTraces({ count: 400 }), '--out', 'o')
    const { status, stdout } = await ran
    assert.equal(status, 0)
    assert.match(stdout, /readFileSync\('o\/gate\.json', 'utf8'\)/)
    const gate = readCalibratedModel(JSON.parse(read('o/gate.json')))
    const judged = calibratedScore(gate, [format, steps]).verify(
      {
        task: { question: 'What is 3 × 4?', wanted: { kind: 'number' } },
        answer: { type: 'text', text: '3 × 4 = 12\n#### 12' },
        made: [],
      },
      [],
    )
    assert.equal(judged.verdict, 'scored')
    const report: TuneReport = JSON.parse(read('o/tune.json'))
    assert.deepEqual([report.kind, report.version, report.seed], ['tune', 1, 1])
    const page = read('o/report.html')
    assert.equal(page.match(/<svg/g)?.length, 2)
    assert.doesNotMatch(page, /<script|<img|<link|<iframe|src=|@import|NaN|undefined/)
    assert.deepEqual(
      [...page.matchAll(/https?:\/\/[^"' ]+/g)].filter(([url]) => !url.includes('www.w3.org')),
      [],
    )
    for (const file of ['o/gate.json', 'o/tune.json', 'o/report.html']) {
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600)
    }
    for (const text of [page, read('o/tune.json')]) assert.doesNotMatch(text, /Ann buys/)
  })

  test('gives the same figures for the same seed, and others for another', async (t) => {
    const rows = madeTraces({ count: 200 })
    const [first, again, other] = await Promise.all(
      ['7', '7', '8'].map((seed) => jsonOf(tuned(t, rows, '--json', '--seed', seed).ran)),
    )
    assert.deepEqual(first, again)
    assert.notDeepEqual(first?.proposal, other?.proposal)
  })

  test('ends with 0 if the goal is reached, and 1 with the number of tasks that lack', async (t) => {
    const rows = madeTraces({ count: 800 })
    const reached = await tuned(t, rows, '--want', 'accuracy=0.85').ran
    assert.equal(reached.status, 0)
    assert.match(
      reached.stdout,
      /^PASS: accuracy at least 85\.0 %: it is .* of \d+ cases, at least 8\d\.\d % with 95 % confidence$/m,
    )
    const open = await tuned(t, rows, '--want', 'risk=0.01').ran
    assert.equal(open.status, 1)
    assert.match(
      open.stdout,
      /^(?:INCONCLUSIVE|FAIL): error rate of the accepted answers at most 1/m,
    )
    assert.doesNotMatch(open.stdout, /accept: 0/, 'a threshold that does not hold is not proposed')
    const failed = await tuned(t, rows, '--want', 'accuracy=0.999').ran
    assert.equal(failed.status, 1)
    assert.match(failed.stdout, /^FAIL: accuracy at least 99\.9 %/m)
    const cost = await tuned(t, rows, '--want', 'cost=0.012').ran
    assert.match(cost.stdout, /^PASS: cost of a task at most \$0\.012: it is \$0\.0\d+ of/m)
  })

  test('says so if there are too few cases', async (t) => {
    const few = tuned(t, madeTraces({ count: 12 }), '--want', 'risk=0.1', '--out', 'o')
    const { status, stdout } = await few.ran
    assert.equal(status, 1)
    assert.match(stdout, /^o\/tune\.json · o\/report\.html$/m)
    assert.match(
      stdout,
      /not enough cases: the half to fit on has \d wrong answers .* 10 are needed/,
    )
    assert.match(stdout, /no ladder is proposed: record more tasks/)
  })

  test('asks recorded second opinions, pays for them, and writes how to ask them', async (t) => {
    const opinion = { model: "it's/odd", wrong: 0.2, cost: 0.002 }
    const models = [opinion, ...MADE_MODELS]
    const { ran, read } = tuned(
      t,
      madeTraces({ count: 600, models }),
      '--opinions',
      opinion.model,
      '--out',
      'o',
    )
    const { stdout } = await ran
    assert.match(stdout, /agree\(\{ ways: \[inWords\('opinion1', \{ name: 'opinion1' \}\)\]/)
    assert.match(stdout, /ask: \{ opinion1: "it's\/odd" \},/)
    const report: TuneReport = JSON.parse(read('o/tune.json'))
    assert.deepEqual(
      report.models.map(({ model }) => model),
      ['made/small', 'made/big'],
    )
    const ladder = report.ladders.at(-1)?.curve[0]?.figures
    assert.ok((ladder?.cost.value ?? 0) > 0.003, 'the small model and the opinion')
    assert.ok('agree.opinion1' in readCalibratedModel(JSON.parse(read('o/gate.json'))).features)
  })

  test('judges tool calls and answers from sources by their own verifiers', async (t) => {
    const rows = madeTraces({ count: 60 })
    const sourced = rows.map((row) => ({
      ...row,
      sources: [{ name: 'a', text: 'Ann buys pens.' }],
    }))
    const { stdout } = await tuned(t, sourced, '--ladder', 'made/small,made/big').ran
    assert.doesNotMatch(stdout, /NaN|undefined/)
    const calls = Array.from({ length: 300 }, (_, at) => {
      const call = (city: string): object => ({ name: 'weather', arguments: { city } })
      const [right, wrong] = [`Town${at}`, 'Elsewhere']
      return {
        id: `c${at}`,
        question: `What is the weather in ${right}?`,
        wanted: 'calls',
        tools: [{ name: 'weather', description: 'The weather of a city' }],
        gold: [call(right)],
        answers: [
          { model: 's', calls: [call(at % 3 === 0 ? wrong : right)], cost: 1 },
          { model: 'b', calls: [call(at % 31 === 0 ? wrong : right)], cost: 9 },
        ],
      }
    })
    const found = await tuned(t, calls).ran
    assert.match(found.stdout, /\[format, call\(\)\]/)
    assert.match(found.stdout, /^s → b +0\.\d{3}/m)
  })

  test('takes costs from the option where the traces have none', async (t) => {
    const models = MADE_MODELS.map(({ model, wrong }) => ({ model, wrong }))
    const rows = madeTraces({ count: 300, models })
    assert.equal((await jsonOf(tuned(t, rows, '--json').ran)).price, 'asked_last')
    const plain = await tuned(t, rows).ran
    assert.match(plain.stdout, /accuracy against share that asks the biggest model/)
    assert.match(plain.stdout, /^a cost is unknown: .* or give --cost MODEL=DOLLARS$/m)
    const costs = ['--cost', 'made/small=0.001', '--cost', 'made/big=0.02']
    const report = await jsonOf(tuned(t, rows, '--json', ...costs).ran)
    assert.equal(report.price, 'cost')
    assert.ok(Math.abs((report.models[1]?.cost.value ?? 0) - 0.02) < 1e-9)
  })

  test('takes costs from the price list where the traces have tokens', async (t) => {
    const rows = madeTraces({ count: 60 }).map((row) =>
      JSON.parse(
        JSON.stringify(row)
          .replaceAll(/"cost":[\d.]+/g, '"input_tokens":1000,"output_tokens":1000')
          .replaceAll('made/small', 'openai/gpt-4o-mini')
          .replaceAll('made/big', 'openai/gpt-4o'),
      ),
    )
    const report = await jsonOf(tuned(t, rows, '--json').ran)
    assert.ok(report.models.every(({ cost }) => cost.value !== null && cost.value > 0))
  })

  test('shows names that would steer a terminal or a page as text', async (t) => {
    const name = '<img src=x onerror=alert(1)>\u001b[2J"\'&'
    const models = MADE_MODELS.map((each, at) => (at === 0 ? { ...each, model: name } : each))
    const { ran, read } = tuned(t, madeTraces({ count: 300, models }), '--out', 'o')
    const { stdout } = await ran
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(stdout, /\u001b\[2J/)
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(read('o/report.html'), /<img|\u001b\[/)
    assert.match(read('o/report.html'), /&lt;img src=x onerror=alert\(1\)&gt;/)
  })

  test('draws how far it is on a terminal, and clears it', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'traces.jsonl'), asLines(madeTraces({ count: 400 })))
    const terminal = fakeTerminal(plainEnvironment(), 100)
    assert.equal(await runInProcess(['tune', 'traces.jsonl'], folder, terminal.io), 0)
    const screen = terminal.screen()
    assert.match(screen, /400 tasks read …/)
    assert.ok(screen.includes('3 of 3 ladders …\r\u001b[K'))
  })

  test('ends at Ctrl-C with nothing written', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'traces.jsonl'), asLines(madeTraces({ count: 3_000 })))
    const told = { signal: 'SIGINT', when: () => existsSync(join(folder, 'o')) } as const
    const { status, stderr } = await runWithSignal(
      ['tune', 'traces.jsonl', '--out', 'o'],
      folder,
      told,
    )
    assert.equal(status, 1)
    assert.match(stderr, /interrupted; nothing was written/)
    assert.equal(existsSync(join(folder, 'o/tune.json')), false)
  })
})

test('the documented row of traces can be read', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/evaluation.md'), 'utf8')
  const [, row = ''] = /```json\n(\{[^`]*)```/.exec(page) ?? []
  const { status, stdout } = await tuned(t, [JSON.parse(row)], '--json').ran
  assert.equal(status, 1, 'one task is too few')
  const { models, halves }: TuneReport = JSON.parse(stdout)
  assert.equal(halves.fit.tasks + halves.test.tasks, 1)
  assert.deepEqual(
    models.map(({ model }) => model),
    ['openai/gpt-5-nano', 'openai/gpt-5'],
  )
})

const ROW = { id: 'a', question: 'q', answers: [{ model: 'm', text: 't', ok: true }] }
const MISTAKES: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'a missing file',
    ['nowhere.jsonl'],
    /the traces nowhere\.jsonl cannot be read: there is no such file/,
  ],
  ['a folder', ['.'], /the traces \. cannot be read: /],
  ['a file without tasks', ['empty.jsonl'], /the traces empty\.jsonl cannot be read: it holds no/],
  ['a damaged line', ['torn.jsonl'], /echelon: torn\.jsonl, line 2: is not JSON: /],
  ['one model', ['one.jsonl'], /a cascade is tuned for 2 to 6 models; there are 1: m/],
  [
    'a model that is not recorded',
    ['one.jsonl', '--ladder', 'm,x'],
    /the traces have no answers of x; they have m/,
  ],
  [
    'a model in two places',
    ['one.jsonl', '--ladder', 'm', '--opinions', 'm'],
    /m is named twice; a model has one place/,
  ],
  ['an unknown goal', ['one.jsonl', '--want', 'speed=1'], /"speed=1" is not a goal; write acc/],
  ['an invalid cost', ['one.jsonl', '--cost', 'm=x'], /--cost m=x: write the model and the/],
  ['an invalid seed', ['one.jsonl', '--seed', 'x'], /must be a whole number/],
  ['a file as --out', ['one.jsonl', '--out', 'one.jsonl'], /another place with --out/],
]

for (const [what, args, says] of MISTAKES) {
  test(`tune: ${what} is one line on stderr and exit status 2`, async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'empty.jsonl'), '\n')
    writeFileSync(join(folder, 'one.jsonl'), asLines([ROW]))
    writeFileSync(join(folder, 'torn.jsonl'), `${asLines([ROW])}{"id":`)
    const { status, stdout, stderr } = await runCommand(['tune', ...args], folder)
    assert.deepEqual([status, stdout], [2, ''], stderr)
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\n\s+at /)
  })
}

const DATA =
  process.env['ECHELON_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))

test('recorded answers to GSM8K are tuned to fewer escalations at the same accuracy', async (t) => {
  const file = join(DATA, 'esc_gsm8k.jsonl')
  if (!existsSync(file)) return t.skip(`${file} is absent; set ECHELON_DATA`)
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ id, question, gold, small, big }) => ({
      id,
      question,
      wanted: 'number',
      gold,
      answers: [small, big].map(({ model, text }) => ({ model, text })),
    }))
  const { ran } = tuned(t, rows, '--json')
  const report = await jsonOf(ran)
  const order = report.ladders.at(-1)?.order
  t.diagnostic(`APGR ${order?.apgr.value} ± ${order?.apgr.error}, CPT80 ${order?.cpt80.value}`)
  assert.ok(order && order.apgr.value > 0.6)
  assert.equal(report.halves.fit.tasks + report.halves.test.tasks, rows.length)
  assert.ok((report.proposal?.test.escalated.value ?? 1) < 1)
})
