import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { openStore, type RunStore } from '@echelon/store'
import { findRun } from './find-run.ts'
import { lengthOfTime } from './lengths.ts'
import { readAnswer, requestOf } from './read-answer.ts'
import { waitingLines } from './say-waiting.ts'
import { describeList } from './show-list.ts'
import { describeRun, keptRun } from './show-run.ts'
import { lasting, standingOf } from './words.ts'
import { keyRedactorOf } from '../conversation/redactor.ts'
import { capturedIo } from '../testing/captured-io.ts'

const HOUR = 60 * 60 * 1000
const AT = Date.UTC(2026, 0, 1)
const hideKeys = keyRedactorOf({ providers: {} })

const APPROVAL = {
  type: 'approval',
  tool: 'pay\u001b[31m',
  call: 'c1',
  input: { to: 'Ann' },
  why: 'it acts',
  choices: ['once', 'always', 'deny', 'never'],
  hash: 'abc',
}
const QUESTION = { question: 'Which color?', schema: { type: 'string' } }

async function begun(runs: RunStore, runId: string, input: string): Promise<void> {
  await runs.append(runId, [
    {
      type: 'started',
      path: '',
      runId,
      agent: 'chat',
      version: 1,
      input,
      at: AT,
      seed: 1,
      timeZone: 'UTC',
      models: { main: 'offline/small' },
      limits: {},
    },
  ])
}

async function asking(runs: RunStore, run: string, request: string, about: object): Promise<void> {
  const asked = JSON.parse(JSON.stringify(about))
  const entry = { type: 'requested', path: '', seq: 0, request, about: asked, at: AT } as const
  await runs.append(run, [entry])
}

describe('findRun', () => {
  test('finds a run by id, prefix or last, and reports unknown or ambiguous ones', async () => {
    const store = await openStore(':memory:')
    const { runs } = store
    await assert.rejects(findRun(runs, 'last'), { code: 'UNKNOWN_RUN' })
    await begun(runs, 'abcd-1', 'one')
    await begun(runs, 'abcd-2', 'two')
    await begun(runs, 'ef', 'three')
    assert.equal((await findRun(runs, 'e')).id, 'ef')
    assert.equal((await findRun(runs, 'abcd-1')).id, 'abcd-1')
    await assert.rejects(findRun(runs, 'abc'), {
      code: 'INVALID_INPUT',
      message: /^2 runs begin with abc \(abcd-\d, abcd-\d\); write more of the id$/,
    })
    await assert.rejects(findRun(runs, 'x\u001b[2Jy'), {
      code: 'UNKNOWN_RUN',
      message: /^there is no run x\\u001b\[2Jy; .+ runs list --all shows all runs$/,
    })
    await runs.append('ef', [
      { type: 'ended', path: '', status: 'finished', reason: 'stop', at: AT },
    ])
    assert.notEqual((await findRun(runs, 'last')).id, 'ef')
    await store.close()
  })
})

describe('a request of a run', () => {
  test('is shown in words, without terminal controls', async () => {
    const store = await openStore(':memory:')
    const { runs } = store
    await begun(runs, 'r1', 'pay \u001b[2Jhim\nnow')
    await asking(runs, 'r1', 'q1', APPROVAL)
    const [run] = await runs.list()
    assert.ok(run)
    assert.match(standingOf(run).text, /^waits for your approval of pay/)
    for (const columns of [120, 40]) {
      const listed = describeList(process, [run], AT + 30 * HOUR, columns)
      assert.match(listed, /pay \\u001b\[2Jhim now/)
      assert.match(listed, / 1 day/)
      // Colors aside.
      assert.ok(!listed.includes('\u001b[2J'))
      assert.equal(
        stripVTControlCharacters(listed)
          .match(/\p{Cc}/gu)
          ?.join('')
          .trim() ?? '',
        '',
      )
    }
    assert.deepEqual(waitingLines(run).slice(1), [
      '  pay(to: "Ann")',
      'answer from any terminal:',
      '  echelon runs answer r1 once',
    ])
    await store.close()
  })

  test('takes answers in words; several requests are told apart by id', async () => {
    const store = await openStore(':memory:')
    const { runs } = store
    await begun(runs, 'r1', 'pay')
    await asking(runs, 'r1', 'q1', APPROVAL)
    await asking(runs, 'r1', "q2'; rm", QUESTION)
    const [run] = await runs.list()
    assert.ok(run)
    assert.equal(standingOf({ ...run, status: 'waiting' }).text, 'waits for 2 answers')
    assert.throws(
      () => requestOf(run, undefined),
      /has several open requests; name one with --request/,
    )
    assert.throws(() => requestOf(run, 'q9'), /has no open request q9/)
    assert.equal(readAnswer(requestOf(run, 'q1'), 'Always'), 'always')
    assert.throws(
      () => readAnswer(requestOf(run, 'q1'), 'maybe'),
      /write once, always, no \(or deny\) or/,
    )
    const question = requestOf(run, "q2'; rm")
    assert.equal(readAnswer(question, 'dark red'), 'dark red')
    // The id is quoted as one word of the shell.
    assert.match(waitingLines(run).at(-1) ?? '', /'YOUR ANSWER' --request 'q2'\\''; rm'$/)
    await store.close()
  })
})

test('shows a finished run without models in one line', async () => {
  const store = await openStore(':memory:')
  const { runs } = store
  const started = { type: 'started', path: '', runId: 'r1', agent: 'own', version: 1 } as const
  const given = { input: 'go', at: AT, seed: 1, timeZone: 'UTC', models: {}, limits: {} } as const
  await runs.append('r1', [
    { ...started, ...given },
    { type: 'ended', path: '', status: 'finished', reason: 'done', at: AT },
  ])
  const [run] = await runs.list()
  assert.ok(run)
  const [first, second] = stripVTControlCharacters(
    describeRun(
      process,
      await keptRun(capturedIo(), run, { entries: await runs.read('r1'), hideKeys }),
    ),
  ).split('\n')
  assert.equal(first, 'r1 · own · done')
  assert.match(second ?? '', /^started [^·]*\d$/)
  await store.close()
})

test('the end of a case is told in words, and that of another run by its reason', async () => {
  const store = await openStore(':memory:')
  await begun(store.runs, 'r1', 'go')
  const [run] = await store.runs.list()
  assert.ok(run)
  const end = (agent: string, reason: string): string =>
    standingOf({ ...run, status: 'finished', agent, reason }).text
  assert.deepEqual(
    ['big_fail', 'unchecked', 'blocked', 'budget', 'success'].map((one) => end('decide', one)),
    ['not verified', 'not checked', 'no model can answer', 'a limit was reached', 'done'],
  )
  assert.equal(end('support', 'blocked'), 'ended: blocked')
  await store.close()
})

test('a run counts its denied tool calls apart', async () => {
  const store = await openStore(':memory:')
  await begun(store.runs, 'r1', 'go')
  const [run] = await store.runs.list()
  assert.ok(run)
  const kept = await keptRun(capturedIo(), run, { entries: await store.runs.read('r1'), hideKeys })
  const step = {
    n: 1,
    run: 'r1',
    path: '',
    seq: 0,
    seen: { type: 'tools-called', outcomes: [{ type: 'denied', reason: 'no' }] },
    began: undefined,
    targets: ['pay'],
    asked: [],
    seconds: 0,
    spent: {},
  } as const
  const shown = describeRun(process, { ...kept, steps: [step], spent: { tools: 2 } })
  assert.match(stripVTControlCharacters(shown), /took 2 tool calls · 1 denied$/)
  await store.close()
})

test('parses and formats durations', () => {
  assert.equal(lengthOfTime('30d'), 30 * 24 * HOUR)
  assert.equal(lengthOfTime('12h'), 12 * HOUR)
  assert.throws(() => lengthOfTime('30'), /such as 30d/)
  assert.deepEqual([0, 61_000, 5 * HOUR, 24 * HOUR, 50 * HOUR].map(lasting), [
    '0 s',
    '1 min',
    '5 h',
    '1 day',
    '2 days',
  ])
})
