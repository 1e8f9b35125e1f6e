import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Json } from '../../../core/value/json.ts'
import type { ToolCall, ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence, Task } from '../state.ts'
import type { UnknownClaim } from '../verification/claim.ts'
import type { Verdict } from '../verification/verdict.ts'
import { type Round, Verification } from '../verification/verification.ts'
import { type StandardClaim, standardVerifiers } from './standard.ts'

type Claim = StandardClaim | UnknownClaim

const VERIFICATION = new Verification(standardVerifiers())

const ok = (value: Json): ToolOutcome => ({ type: 'ok', value })
const number = (value: string): ToolOutcome => ok({ value, kind: 'data' })
const day = (date_str: string): ToolOutcome => ok({ date_str, kind: 'text' })
const broken = (message: string): ToolOutcome => ({ type: 'error', code: 'INVALID_ARGS', message })

const did = (tool: string, input: Json, outcome: ToolOutcome): Evidence => ({
  at: 0,
  rung: 0,
  round: 0,
  call: { id: '0.0.1', tool, input },
  outcome,
})
const computed = (expr: string, value: string): Evidence =>
  did('calculator', { expr }, number(value))
const looked = (query: string, date: string): Evidence => did('calendar', { query }, day(date))

function caseOf(claim: Claim, ran: readonly Evidence[], task: Partial<Task> = {}): Round {
  const known = {
    input: 'task',
    expectedTools: [],
    goldAnswer: null,
    seed: null,
    unchecked: 'answer',
    rules: 2,
  } as const
  return {
    task: { ...known, today: '2025-09-08', timeZone: 'UTC', runId: 'run', ...task },
    claim,
    ran,
    thresholds: {},
  }
}

/** Runs a case as the agent does: its checks are answered from a table, then it is judged. */
function verdictOf(one: Round, answers: (check: ToolCall) => ToolOutcome): Verdict {
  return VERIFICATION.judge(one, VERIFICATION.checks(one).map(answers))
}

const NO_CHECK = (): ToolOutcome => assert.fail('nothing is to be checked')

suite('a question whether a number is prime', () => {
  const claim: Claim = {
    kind: 'math',
    expressions: ['isPrime(221)'],
    quantities: ['221'],
    why: 'it asks whether a number is prime',
  }
  const verdict = (expr: string, value: string): Verdict =>
    verdictOf(caseOf(claim, [computed(expr, value)]), () => number('no'))

  test('[DD-8] is proved by the same answer', () => {
    assert.deepEqual(
      [verdict('isPrime(221)', 'no').checked, verdict('isPrime(221)', 'no').answer],
      ['verified', 'no'],
    )
  })

  test('[DD-8] is refuted by the other answer, by a number, and by another number', () => {
    for (const [expr, value] of [
      ['isPrime(211)', 'yes'],
      ['mod(221, 7)', '4'],
      ['221', '221'],
    ] as const) {
      assert.equal(verdict(expr, value).checked, 'refuted')
    }
  })

  test('[DD-8] a yes does not prove a number', () => {
    const sum: Claim = { ...claim, expressions: ['15 * 23'], value: 345 }
    const one = caseOf(sum, [computed('isPrime(15)', 'no')])
    assert.equal(verdictOf(one, () => number('345')).checked, 'refuted')
  })
})

suite('a math task', () => {
  const claim = (...expressions: readonly string[]): Claim => ({
    kind: 'math',
    expressions,
    quantities: ['15', '23'],
    why: 'as written',
  })
  const values: Readonly<Record<string, string>> = { '15 * 23': '345', '15 + 23': '38' }
  const compute = ({ tool, input }: ToolCall): ToolOutcome => {
    assert.equal(tool, 'calculator')
    const value = values[Object(input).expr]
    return value === undefined ? broken('no arithmetic') : number(value)
  }

  test('[R5.1, DD-8] is proved by computing the question apart from the plan', () => {
    const one = caseOf(claim('15 * 23'), [computed('23 * 15', '345.0')])
    assert.deepEqual(verdictOf(one, compute), {
      passed: true,
      metric: 1,
      binary: true,
      checked: 'verified',
      answer: '345.0',
      reason: 'the quantities and operations of the question give the same number',
    })
  })

  test("[DD-8] a plan is not proved by its own tool's confirmation", () => {
    const verdict = verdictOf(caseOf(claim('15 * 23'), [computed('15 + 23', '38')]), compute)
    assert.deepEqual([verdict.passed, verdict.metric, verdict.answer], [false, 0, '38'])
    assert.equal(verdict.forPerson, 'the question itself gives 345, the plan gave 38')
    assert.doesNotMatch(verdict.reason, /345/)
  })

  test('[R5.1] is exact: no rounding, no near misses', () => {
    for (const value of ['345.0000000001', '344.99', '-345', '3450', '345 apples']) {
      const one = caseOf(claim('15 * 23'), [computed('?', value)])
      assert.equal(verdictOf(one, compute).passed, false, value)
    }
  })

  test('[DD-8] a number with an exponent is proved by an equal one, to the given digits', () => {
    const third = '5.356460147529967585139873641137208675074009979276e+59'
    for (const value of [third, `-${third}`, '1e-40', '1e+1000']) {
      const verdict = verdictOf(caseOf(claim('x'), [computed('?', value)]), () => number(value))
      assert.deepEqual(
        [verdict.checked, verdict.reason],
        ['verified', 'the question gives the same number to 50 digits'],
      )
    }
  })

  test('[DD-8] a decimal of all computed digits is proved to those digits', () => {
    const root = '1.4142135623730950488016887242096980785696718753769'
    const verdict = verdictOf(caseOf(claim('x'), [computed('?', root)]), () => number(root))
    assert.deepEqual(
      [verdict.checked, verdict.reason],
      ['verified', 'the question gives the same number to 50 digits'],
    )
  })

  test('[DD-8] a rounded number neither proves nor contradicts an exact one', () => {
    const exact = String(2n ** 200n)
    const rounded = '1.6069380442589902755419620923411626025222029937828e+60'
    const nines = '9'.repeat(60)
    for (const [answer, own] of [
      [rounded, exact],
      [exact, rounded],
      [`-${rounded}`, `-${exact}`],
      ['1e+60', nines],
      [nines, '1e+60'],
    ] as const) {
      const verdict = verdictOf(caseOf(claim('x'), [computed('?', answer)]), () => number(own))
      assert.deepEqual([verdict.passed, verdict.checked], [false, 'not_checked'], answer)
      assert.doesNotMatch(verdict.reason, /1\.6|999/)
    }
  })

  test('[DD-8] other digits, another magnitude or another sign refute a long number', () => {
    for (const [answer, own] of [
      [`1${'0'.repeat(59)}1`, `1${'0'.repeat(59)}2`],
      ['1e+60', `-1${'0'.repeat(60)}`],
      ['1e+60', '1e+61'],
      ['1e+60', '1.1e+60'],
      ['1e-60', '1e+60'],
      ['1e+60', '2'],
    ] as const) {
      const verdict = verdictOf(caseOf(claim('x'), [computed('?', answer)]), () => number(own))
      assert.equal(verdict.checked, 'refuted', answer)
    }
  })

  test('[DD-8] an answer that cannot be computed or read is unverified', () => {
    const unreadable = caseOf(claim('x'), [computed('15 * 23', '345')])
    const verdict = verdictOf(unreadable, compute)
    assert.deepEqual([verdict.passed, verdict.answer], [false, '345'])
    const unknown = caseOf({ kind: 'unknown', why: 'two readings' }, [computed('1', '1')])
    assert.equal(
      verdictOf(unknown, NO_CHECK).reason,
      'the question cannot be checked: two readings',
    )
    assert.equal(verdictOf(unknown, NO_CHECK).answer, '1')
  })

  test('may have up to three right readings', () => {
    const both = claim('15 + 23', '15 * 23', '15 + 23', '15 * 23')
    assert.equal(VERIFICATION.checks(caseOf(both, [computed('?', '345')])).length, 3)
    assert.ok(verdictOf(caseOf(both, [computed('?', '345')]), compute).passed)
    assert.ok(verdictOf(caseOf(both, [computed('?', '38')]), compute).passed)
  })

  test('is answered by the last number that the plan computed', () => {
    const ran = [computed('a', '1'), computed('b', '345'), did('calculator', {}, broken('bad'))]
    assert.equal(verdictOf(caseOf(claim('15 * 23'), ran), compute).answer, '345')
  })

  test('without a number it needs no check, and says what went wrong', () => {
    const one = caseOf(claim('15 * 23'), [did('calculator', {}, broken('expr: required'))])
    const verdict = verdictOf(one, NO_CHECK)
    assert.deepEqual([verdict.answer, verdict.reason], [null, 'expr: required'])
    const other = caseOf(claim('15 * 23'), [looked('today', 'Monday, September 8, 2025')])
    assert.equal(verdictOf(other, NO_CHECK).reason, 'the calculator gave no number')
  })
})

suite('a calendar task', () => {
  const claim: Claim = { kind: 'calendar', query: 'What day is tomorrow?' }
  const [monday, tuesday] = ['Monday, September 8, 2025', 'Tuesday, September 9, 2025']
  const tomorrow = ({ tool, input }: ToolCall): ToolOutcome => {
    assert.equal(tool, 'calendar')
    assert.deepEqual(input, { query: 'What day is tomorrow?', today: '2025-09-08' })
    return day(tuesday)
  }

  test("[R5.2, DD-8] is proved by the question's own date, counted from its own day", () => {
    const verdict = verdictOf(caseOf(claim, [looked('2025-09-09', tuesday)]), tomorrow)
    assert.deepEqual([verdict.passed, verdict.answer], [true, tuesday])
  })

  test('[DD-8] is not proved by another date', () => {
    const verdict = verdictOf(caseOf(claim, [looked('today', monday)]), tomorrow)
    assert.equal(verdict.forPerson, `the question itself gives ${tuesday}, the plan gave ${monday}`)
    assert.doesNotMatch(verdict.reason, /Tuesday|Monday|\d/)
    assert.deepEqual([verdict.passed, verdict.answer], [false, monday])
  })

  test('is not proved if either side lacks a date', () => {
    const none = caseOf(claim, [did('calendar', {}, broken('3/4 may be March 4 or April 3'))])
    assert.equal(verdictOf(none, NO_CHECK).reason, '3/4 may be March 4 or April 3')
    const one = caseOf(claim, [looked('2025-09-09', tuesday)])
    const verdict = verdictOf(one, () => broken('no date in it'))
    assert.equal(verdict.reason, 'the question itself could not be read as a date')
  })
})

suite('a task with a known answer', () => {
  const unknown: Claim = { kind: 'unknown', why: 'no quantity' }
  const gold = (goldAnswer: string, ...ran: readonly Evidence[]): Round =>
    caseOf(unknown, ran, { goldAnswer })

  test('[R5.1, DD-8] is proved by it: numbers exactly, words regardless of case', () => {
    assert.ok(verdictOf(gold('345', computed('15 * 23', '345.0')), NO_CHECK).passed)
    assert.ok(verdictOf(gold('1,000', computed('10 ^ 3', '1000')), NO_CHECK).passed)
    assert.ok(verdictOf(gold(' Yes', did('oracle', {}, number('yes'))), NO_CHECK).passed)
    const wrong = verdictOf(gold('345', computed('15 + 23', '38')), NO_CHECK)
    assert.deepEqual([wrong.passed, wrong.answer], [false, '38'])
    assert.equal(wrong.forPerson, 'the answer is 38, and the known one is 345')
    assert.ok(!wrong.reason.includes('345'), 'the next model is not told the known answer')
    assert.ok(!verdictOf(gold('345', computed('?', '345.01')), NO_CHECK).passed)
  })

  test('[R5.2, DD-8] a date may be written in any way that the calendar reads', () => {
    const monday = 'Monday, September 8, 2025'
    const normalize = ({ tool, input }: ToolCall): ToolOutcome => {
      assert.equal(tool, 'calendar')
      assert.deepEqual(input, { query: '2025-09-08', today: '2025-09-08' })
      return day(monday)
    }
    assert.ok(verdictOf(gold('2025-09-08', looked('that day', monday)), normalize).passed)
    const other = gold('2025-09-08', looked('the day after', 'Tuesday, September 9, 2025'))
    assert.ok(!verdictOf(other, normalize).passed)
    const unread = (): ToolOutcome => broken('no date in it')
    assert.ok(verdictOf(gold('monday, september 8, 2025', looked('?', monday)), unread).passed)
  })

  test('is not proved without an answer', () => {
    assert.equal(verdictOf(gold('345'), NO_CHECK).reason, 'no action gave an answer')
  })
})

suite('expected tools', () => {
  const claim: Claim = { kind: 'math', expressions: ['1'], quantities: ['1'], why: 'as written' }
  const one = (expectedTools: readonly string[]): Round =>
    caseOf(claim, [computed('1', '1'), did('calendar', {}, broken('no date'))], { expectedTools })

  test('each must have given a result, else a right answer does not count', () => {
    assert.ok(verdictOf(one(['calculator']), () => number('1')).passed)
    for (const missing of ['calendar', 'plotter']) {
      const verdict = verdictOf(one(['calculator', missing]), () => number('1'))
      assert.deepEqual([verdict.passed, verdict.answer], [false, '1'])
      assert.equal(verdict.reason, `the answer must rest on ${missing}, which gave no result`)
    }
  })
})
