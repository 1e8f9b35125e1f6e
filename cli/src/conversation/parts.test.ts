import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunEvent } from 'echelon/runtime'
import { clean, cleanLines, cut, widthOf } from '../terminal/clean.ts'
import { describeCall, describeOutcome } from './describe-tool.ts'
import { endLine, eventLine } from './event-line.ts'
import { questionOf, standing } from './question.ts'
import { describeTook, NOTHING, together, tookOf } from '../chat/took.ts'
import { isCommand } from './commands.ts'

describe('a shown line', () => {
  test('is cut to the columns of the terminal, counted in visible characters', () => {
    assert.equal(cut('calculator', 10), 'calculator')
    assert.equal(cut('calculators', 10), 'calculato…')
    assert.deepEqual(
      [widthOf({ columns: 0 }, 80), widthOf({}, 80), widthOf({ columns: 60 }, 80)],
      [79, 79, 59],
    )
    assert.equal(cut('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2), '👩‍👩‍👧…')
  })

  test('keeps line feeds and escapes what could control the terminal', () => {
    assert.equal(cleanLines('a\r\n\u001b[31mb\u001b[0m\tc\u0007\u202ed'), 'a\nb\tc\\u0007\\u202ed')
    assert.equal(cleanLines('half a sequence \u001b'), 'half a sequence \\u001b')
    assert.equal(clean('a\nb'), 'a b')
  })
})

describe('a tool call', () => {
  const call = { tool: 'calculator', input: { expr: '15 * 23', places: null } }

  test('is shown with its arguments, on one line', () => {
    assert.equal(describeCall(call), 'calculator(expr: "15 * 23", places: null)')
    assert.equal(describeCall({ tool: 'x\u001b[2J', input: ['a\nb'] }), 'x\\u001b[2J(["a\\nb"])')
  })

  test('is shown with its outcome', () => {
    const value = { value: '345', kind: 'data' }
    assert.equal(describeOutcome('calculator', { type: 'ok', value }), '✓ calculator value: "345"')
    assert.equal(
      describeOutcome('x', { type: 'error', code: 'NET_TIMEOUT', message: 'too\nslow' }),
      '✗ x NET_TIMEOUT: too slow',
    )
    assert.match(describeOutcome('x', { type: 'denied', reason: 'no' }), /^✗ x was not run: no$/)
    assert.match(describeOutcome('x', { type: 'refused', limit: 'money' }), /limit of money/)
    assert.match(describeOutcome('x', { type: 'unknown', message: 'cut' }), /^\? x may or may not/)
  })
})

describe('an event', () => {
  const place = { path: '', seq: 1 }
  const problem = {
    code: 'rate-limit',
    message: 'slow\ndown',
    retryable: true,
    attempts: 1,
  } as const

  test('of a retry is one line, both from the runtime and from middleware', () => {
    const own: RunEvent = { ...place, type: 'retry-wait', problem, waitMs: 1500 }
    const line = { kind: 'bad', text: '! slow down; again in 1.5 s' }
    assert.deepEqual(eventLine(own), line)
    const data = { message: 'slow down', waitMs: 1500 }
    const other: RunEvent = { type: 'middleware', middleware: 'retry', event: 'retry', data }
    assert.deepEqual(eventLine(other), line)
    assert.equal(eventLine({ ...other, event: 'opened' }), undefined)
  })

  test('of progress, a warning or a log is one line; others are not shown', () => {
    const progress: RunEvent = { ...place, type: 'tool-progress', call: 'c', data: { done: 3 } }
    assert.equal(eventLine(progress)?.text, '  … {"done":3}')
    const warning: RunEvent = { ...place, type: 'model-warning', message: 'no temperature' }
    assert.equal(eventLine(warning)?.text, '! no temperature')
    assert.equal(eventLine({ type: 'log', level: 'info', message: 'x' }), undefined)
    assert.equal(eventLine({ type: 'log', level: 'error', message: 'x' })?.kind, 'bad')
    const why = { type: 'log', level: 'warning', message: 'x', detail: 'full' } as const
    assert.equal(eventLine(why)?.text, '! x (full)')
    assert.equal(eventLine({ type: 'run-start', runId: 'r', agent: 'chat' }), undefined)
  })

  test('of an end says why the answer is not complete', () => {
    assert.equal(endLine({ reason: 'stop', detail: null, problem: null }), undefined)
    assert.equal(endLine({ reason: 'canceled', detail: 'x', problem: null }), 'canceled')
    const line = endLine({ reason: 'budget:money', detail: 'no money', problem: null })
    assert.equal(line, 'the answer is not complete (budget:money): no money')
  })
})

describe('a question', () => {
  const approval = questionOf({
    type: 'approval',
    tool: 'send',
    input: { to: 'a\u001b[2J', text: 'x'.repeat(5000) },
    why: 'a rule',
  })

  test('[C-13] an approval shows tool, input and reason, and accepts once, always, no or never', () => {
    assert.match(approval.text, /send\(to: "a/)
    assert.match(approval.text, /… and \d+ more characters\n {2}a rule$/)
    assert.ok(!approval.text.includes('\u001b'))
    const read = ['once', ' Y ', 'a', 'ALWAYS', 'n', 'no', 'v', 'Never', 'maybe', '', 'constructor']
    assert.deepEqual(
      read.map((typed) => approval.read(typed)),
      [
        'once',
        'once',
        'always',
        'always',
        'deny',
        'deny',
        'never',
        'never',
        undefined,
        undefined,
        undefined,
      ],
    )
    assert.equal(approval.without, 'deny')
  })

  test('of a tool that asks at every call accepts no reply for later calls', () => {
    const each = questionOf({ type: 'approval', tool: 'send', choices: ['once', 'deny'] })
    assert.equal(each.prompt, '[o]nce / [n]o? ')
    const read = ['o', 'always', 'n']
    assert.deepEqual(
      read.map((typed) => each.read(typed)),
      ['once', undefined, 'deny'],
    )
    assert.equal(each.meaning('never'), undefined)
    assert.deepEqual([standing('always', each), standing('never', each)], ['once', 'never'])
    assert.equal(standing('always', approval), 'always')
  })

  test('accepts what its schema allows', () => {
    const yes = questionOf({ question: 'Go on?', schema: { type: 'boolean' } })
    assert.deepEqual(
      ['y', 'No', 'hm'].map((typed) => yes.read(typed)),
      [true, false, undefined],
    )
    assert.equal(yes.without, false)
    const text = questionOf({ question: 'Which one?', schema: null })
    assert.deepEqual(
      [text.text, text.read('this'), text.read(' ')],
      ['Which one?', 'this', undefined],
    )
    assert.equal(text.without, undefined)
    const number = questionOf({ question: 'How many?', schema: { type: 'number' } })
    assert.deepEqual([number.read('3'), number.read('three')], [3, undefined])
  })
})

describe('the cost of turns', () => {
  const priced = tookOf({ usage: { input: 1200, output: 30 }, cost: 0.5 })
  const unpriced = tookOf({ usage: { input: 10, output: 5 }, cost: null })

  test('is shown for the last turn and for all', () => {
    assert.equal(
      describeTook({ last: NOTHING, all: NOTHING }),
      'nothing was asked yet, and nothing was spent',
    )
    assert.equal(
      describeTook({ last: priced, all: together(priced, priced) }),
      'last turn  1,200 tokens in, 30 out, $0.50\nthis chat  2 turns: 2,400 tokens in, 60 out, $1.00',
    )
  })

  test('of a continued chat says that earlier turns are not counted', () => {
    const took = { last: priced, all: priced, isContinued: true }
    assert.match(describeTook(took), /\nthis chat {2}1 turn: .* \(since it was continued\)$/)
    const undone = { ...took, hasUndone: true }
    assert.match(describeTook(undone), /\(since it was continued; undone turns included\)$/)
    assert.equal(
      describeTook({ last: NOTHING, all: NOTHING, isContinued: true }),
      'nothing was asked since the chat was continued, and nothing was spent',
    )
  })

  test('never counts an unknown price as zero', () => {
    const told = describeTook({ last: unpriced, all: together(priced, unpriced) })
    assert.match(told, /^last turn .*, at a price that is not known\n/)
    assert.match(told, /at least \$0\.50 \(the price of 1 turn is not known\)$/)
  })
})

test('a command is a slash and a word; a path is a message', () => {
  for (const line of ['/cost', '/switch a/b', '/foo']) assert.ok(isCommand(line), line)
  for (const line of ['/etc/hosts', '/ cost', ' /cost', '/', '/3'])
    assert.ok(!isCommand(line), line)
})
