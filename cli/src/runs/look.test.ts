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
import { capturedIo } from '../testing/captured-io.ts'

const HOUR = 60 * 60 * 1000
const AT = Date.UTC(2026, 0, 1)

const APPROVAL = {
  type: 'approval',
  tool: 'pay\u001b[31m',
  call: 'c1',
  input: { to: 'Ann' },
  why: 'it acts',
  choices: ['once', 'always', 'deny', 'never'],
  hash: 'abc',
}
const QUESTION = { question: 'Which colour?', schema: { type: 'string' } }

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

describe('a run is found', () => {
  test('by its id, its beginning, or as the last; else what is wrong is said', async () => {
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
      message: /^there is no run x\\u001b\[2Jy; .+ runs list --all shows those there are$/,
    })
    runs.append('ef', [{ type: 'ended', path: '', status: 'finished', reason: 'stop', at: AT }])
    assert.notEqual((await findRun(runs, 'last')).id, 'ef')
    await store.close()
  })
})

describe('what a run waits for', () => {
  test('is said in words, and nothing of it steers the terminal', async () => {
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
      // Colours aside.
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

  test('is answered in words; several requests are told apart by their ids', async () => {
    const store = await openStore(':memory:')
    const { runs } = store
    await begun(runs, 'r1', 'pay')
    await asking(runs, 'r1', 'q1', APPROVAL)
    await asking(runs, 'r1', "q2'; rm", QUESTION)
    const [run] = await runs.list()
    assert.ok(run)
    assert.equal(standingOf({ ...run, status: 'waiting' }).text, 'waits for 2 answers')
    assert.throws(() => requestOf(run, undefined), /asks several things; name one with --request/)
    assert.throws(() => requestOf(run, 'q9'), /has no open request q9/)
    assert.equal(readAnswer(requestOf(run, 'q1'), 'Always'), 'always')
    assert.throws(() => readAnswer(requestOf(run, 'q1'), 'maybe'), /write once, always, deny or/)
    const question = requestOf(run, "q2'; rm")
    assert.equal(readAnswer(question, 'dark red'), 'dark red')
    // What is copied into a shell is one word of it.
    assert.match(waitingLines(run).at(-1) ?? '', /'YOUR ANSWER' --request 'q2'\\''; rm'$/)
    await store.close()
  })
})

test('a run of a program without models says once that it is done', async () => {
  const store = await openStore(':memory:')
  const { runs } = store
  const started = { type: 'started', path: '', runId: 'r1', agent: 'own', version: 1 } as const
  const given = { input: 'go', at: AT, seed: 1, timeZone: 'UTC', models: {}, limits: {} } as const
  runs.append('r1', [
    { ...started, ...given },
    { type: 'ended', path: '', status: 'finished', reason: 'done', at: AT },
  ])
  const [run] = await runs.list()
  assert.ok(run)
  const [first, second] = stripVTControlCharacters(
    describeRun(process, await keptRun(capturedIo(), run, runs.read('r1'))),
  ).split('\n')
  assert.equal(first, 'r1 · own · done')
  assert.match(second ?? '', /^begun [^·]*\d$/)
  await store.close()
})

test('lengths of time are read and told', () => {
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
