import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence, Task } from '../state.ts'
import type { Claim, UnknownClaim } from './claim.ts'
import { readClaim } from './read-claim.ts'
import { proved } from './verdict.ts'
import { type Round, Verification } from './verification.ts'
import type { Case, QuestionReading, Verifier } from './verifier.ts'

/** A fake verifier that reads as instructed, proves every answer, and keeps its arguments. */
function verifier(
  name: string,
  reading: QuestionReading = { type: 'claim', claim: { kind: name } },
): Verifier & { readonly cases: readonly Case[] } {
  const cases: Case[] = []
  return {
    name,
    tools: [`${name}-tool`],
    cases,
    read: () => reading,
    checks: () => [{ id: '1', tool: `${name}-tool`, input: null }],
    judge(one) {
      cases.push(one)
      return proved(one.answer ?? 'nothing', `by ${name}`)
    },
    isClaim: () => true,
  }
}

const QUESTION = { input: 'What is it?', today: '2025-09-08' }
const other = (why: string): QuestionReading => ({ type: 'other', why })

const TASK: Task = {
  ...QUESTION,
  expectedTools: [],
  goldAnswer: null,
  seed: null,
  timeZone: 'UTC',
  runId: 'run',
  unchecked: 'answer',
  rules: 2,
}
const failed: ToolOutcome = { type: 'error', code: 'TOOL_ERROR', message: 'no', fault: 'value' }
const gave = (outcome: ToolOutcome): Evidence => {
  const call = { id: '0.0.1', tool: 'any', input: null }
  return { at: 0, rung: 0, round: 0, call, outcome }
}
const roundOf = (
  claim: Claim | UnknownClaim,
  task: Partial<Task> = {},
  ...ran: readonly Evidence[]
): Round => ({
  task: { ...TASK, ...task },
  claim,
  ran,
  thresholds: { b: 0.5 },
})
const ANSWERED = gave({ type: 'ok', value: { value: '42' } })

test('the first verifier that reads a question sets its claim', () => {
  const list = [verifier('a', other('not mine')), verifier('b'), verifier('c')]
  assert.deepEqual(readClaim(list, QUESTION), { kind: 'b' })
})

test('no verifier is asked after one that finds a question ambiguous', () => {
  const list = [verifier('a', { type: 'unclear', why: 'it has two readings' }), verifier('b')]
  assert.deepEqual(readClaim(list, QUESTION), { kind: 'unknown', why: 'it has two readings' })
})

test("a question that no verifier reads is unknown, for the last verifier's reason", () => {
  const list = [verifier('a', other('not a')), verifier('b', other('not b'))]
  assert.deepEqual(readClaim(list, QUESTION), { kind: 'unknown', why: 'not b' })
  assert.equal(readClaim([], QUESTION).kind, 'unknown')
})

test('the verifier that read the question judges the answer, by its own threshold', () => {
  const [a, b] = [verifier('a'), verifier('b')]
  const verdict = new Verification([a, b]).judge(roundOf({ kind: 'b' }, {}, ANSWERED), [])
  assert.equal(verdict.reason, 'by b')
  assert.equal(a.cases.length, 0)
  assert.deepEqual(
    b.cases.map(({ answer, threshold }) => [answer, threshold]),
    [['42', 0.5]],
  )
})

test('[DD-8] a verifier never sees the known answer', () => {
  const report = { ...verifier('b'), knownAnswer: 'contained' } as const
  const verification = new Verification([report])
  const judged = (goldAnswer: string) =>
    verification.judge(roundOf({ kind: 'b' }, { goldAnswer }, ANSWERED), [])
  assert.equal(judged('42').checked, 'verified')
  assert.equal(judged('43').checked, 'refuted')
  assert.equal(report.cases.length, 2)
  for (const { task } of report.cases) assert.ok(!('goldAnswer' in task))
})

test('a known answer decides alone if the verifier does not grade reports', () => {
  const b = verifier('b')
  const verification = new Verification([b])
  const round = roundOf({ kind: 'b' }, { goldAnswer: '43' }, ANSWERED)
  assert.deepEqual(verification.checks(round), [])
  assert.equal(verification.judge(round, []).checked, 'refuted')
  assert.equal(b.cases.length, 0)
})

test('a question about something that does not exist blocks the run once a tool says so', () => {
  const unread: Verifier = { ...verifier('a', other('not a')), hasNoAnswer: () => true }
  const round = roundOf({ kind: 'unknown', why: 'not a' }, {}, gave(failed))
  assert.equal(new Verification([unread]).judge(round, []).blocked, true)
  assert.equal(new Verification([verifier('a')]).judge(round, []).blocked, undefined)
})

test('checks may call the tools of all verifiers, and the calendar for a known answer', () => {
  const { tools } = new Verification([verifier('a'), verifier('b'), verifier('c')])
  assert.deepEqual(tools, ['a-tool', 'b-tool', 'c-tool', 'calendar'])
})

test('a stored claim is loaded by its own verifier, and refused without it', () => {
  const strict: Verifier = { ...verifier('b'), isClaim: (stored) => Object(stored).n === 1 }
  const verification = new Verification([verifier('a'), strict])
  const stored: readonly (readonly [claim: Claim, isLoaded: boolean])[] = [
    [{ kind: 'a' }, true],
    [{ kind: 'b' }, false],
    [Object({ kind: 'b', n: 1 }), true],
    [{ kind: 'c' }, false],
    [{ kind: 'unknown' }, false],
    [Object({ kind: 'unknown', why: 'not read' }), true],
  ]
  for (const [claim, expected] of stored) {
    assert.equal(verification.isClaim(claim), expected, JSON.stringify(claim))
  }
})

test('two verifiers of one name are refused, and so is the name of an unknown claim', () => {
  for (const names of [['a', 'a'], ['unknown']]) {
    assert.throws(() => new Verification(names.map((name) => verifier(name))), {
      code: 'INVALID_CONFIG',
    })
  }
})
