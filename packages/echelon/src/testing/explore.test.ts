import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentDefinition, Moved } from '../core/agent/agent.ts'
import type { Observation } from '../core/agent/observation.ts'
import { Thread, userMessage } from '../core/message/thread.ts'
import { explore } from './explore.ts'
import type { ExploreOptions } from './explore/explore-options.ts'
import { SOUND } from './explore/finding.ts'
import { circleIn, longestPath } from './explore/graph.ts'

interface State {
  readonly phase: 'think' | 'look' | 'done'
  readonly rounds: number
  readonly why: string
}

type Lookup = AgentDefinition<string, State, string>

const PROMPT = Thread.of([userMessage('what is it?')])
const done = (state: State, why: string): Moved<State> => ({
  state: { ...state, phase: 'done', why },
})

/** Asks a model, which answers or requests a lookup, at most twice. */
const lookup: Lookup = {
  name: 'lookup',
  version: 1,
  actors: { all: { roles: ['small'], tools: ['look'] } },
  start: () => ({ state: { phase: 'think', rounds: 0, why: '' } }),
  next: ({ phase, why }) => {
    if (phase === 'done') return { type: 'finish', result: why, reason: why }
    if (phase === 'think')
      return { type: 'generate', actor: 'all', role: 'small', messages: PROMPT }
    return { type: 'call-tools', actor: 'all', calls: [{ id: '1', tool: 'look', input: {} }] }
  },
  observe: (state, seen) => {
    if (seen.type === 'generated') {
      if (seen.calls.length === 0 || state.rounds === 2) return done(state, 'answered')
      return { state: { ...state, phase: 'look' } }
    }
    if (seen.type === 'tools-called') {
      return { state: { ...state, phase: 'think', rounds: state.rounds + 1 } }
    }
    return done(state, seen.type)
  },
  load: () => ({ phase: 'think', rounds: 0, why: '' }),
}

const CALL = { id: '1', tool: 'look', input: {} }
const WORLD: ExploreOptions<string, State, string> = {
  inputs: ['hi'],
  observations: { models: ['it is', { calls: [CALL] }] },
}

/** The same definition with a modified `observe`. */
const learning = (alter: (learn: Lookup['observe']) => Lookup['observe']): Lookup => ({
  ...lookup,
  observe: alter((...learned) => lookup.observe(...learned)),
})

const insteadOf =
  (
    type: Observation['type'],
    become: (state: State) => Moved<State>,
  ): ((learn: Lookup['observe']) => Lookup['observe']) =>
  (learn) =>
  (state, seen, meter) =>
    seen.type === type ? become(state) : learn(state, seen, meter)

let outside = 0

interface Listed {
  readonly list: string[]
  readonly said?: Thread
  readonly more?: object
}

/** Keeps a list in its state, unlike the lookup. */
const listing = (become: (list: string[]) => Listed): Lookup => ({
  ...lookup,
  // Frozen, but not deeply.
  start: () => ({ state: Object.freeze(Object.assign(lookupStart(), { list: [] })) }),
  observe: (state, seen, meter) => {
    const { list }: Listed = Object(state)
    const more = become(list)
    if (more instanceof Promise) return Object(more)
    const moved = lookup.observe(state, seen, meter)
    return { state: Object.freeze(Object.assign({ ...moved.state }, more)) }
  },
})

const lookupStart = (): State => ({ phase: 'think', rounds: 0, why: '' })

/** A fault, and the rule that must detect it. */
const MUTANTS: readonly {
  readonly fault: string
  readonly mutant: Lookup
  readonly rule: string
  readonly message?: RegExp
  readonly steps: number
}[] = [
  {
    fault: 'that answers a refusal with the same wish',
    mutant: learning(insteadOf('refused', (state) => ({ state }))),
    rule: SOUND.refused,
    steps: 0,
  },
  {
    fault: 'that retries forever when the model is down',
    mutant: learning(insteadOf('failed', (state) => ({ state }))),
    rule: SOUND.refused,
    steps: 0,
  },
  {
    fault: 'that goes on when it is canceled',
    mutant: learning(insteadOf('canceled', (state) => ({ state }))),
    rule: SOUND.canceled,
    message: /it goes on: all asks the model small/,
    steps: 1,
  },
  {
    fault: 'that forgets to count its rounds',
    mutant: learning(
      insteadOf('tools-called', (state) => ({ state: { ...state, phase: 'think' } })),
    ),
    rule: SOUND.halts,
    message: /cycle forever/,
    steps: 0,
  },
  {
    fault: 'that counts its rounds and never stops',
    mutant: learning(
      (learn) => (state, seen, meter) =>
        seen.type === 'generated' && seen.calls.length > 0
          ? { state: { ...state, phase: 'look' } }
          : learn(state, seen, meter),
    ),
    rule: SOUND.halts,
    message: /no end of new states/,
    steps: 167,
  },
  {
    fault: 'that calls a tool which it may not',
    mutant: { ...lookup, actors: { all: { roles: ['small'] } } },
    rule: SOUND.capability,
    message: /all calls look \{\}, which is not allowed: tool:look/,
    steps: 1,
  },
  {
    fault: 'that changes its state in place',
    mutant: learning((learn) => (state, seen, meter) => {
      if (seen.type === 'tools-called') Object.assign(state, { why: 'changed' })
      return learn(state, seen, meter)
    }),
    rule: SOUND.unchanged,
    steps: 2,
  },
  {
    fault: 'that decides by external state',
    mutant: { ...lookup, next: (state) => ({ ...lookup.next(state), actor: `all${outside++}` }) },
    rule: SOUND.pure,
    steps: 0,
  },
  {
    fault: 'that throws on an unexpected observation',
    mutant: learning(
      insteadOf('tools-called', () => {
        throw new RangeError('no such thing')
      }),
    ),
    rule: SOUND.total,
    message: /^observe: no such thing$/,
    steps: 2,
  },
  {
    fault: 'that changes a part of a state which it froze itself, but not to its depth',
    mutant: listing((list) => {
      list.push('more')
      return Object.freeze({ list })
    }),
    rule: SOUND.unchanged,
    steps: 1,
  },
  {
    fault: 'that says something else in its conversation each time',
    mutant: listing(() => ({ list: [], said: PROMPT.add(userMessage(`${outside++}`)) })),
    rule: SOUND.pure,
    message: /which differ: state\.said: /,
    steps: 1,
  },
  {
    fault: 'that goes on when a tool is denied',
    mutant: learning(
      (learn) => (state, seen, meter) =>
        seen.type === 'tools-called' && seen.outcomes[0]?.type === 'denied'
          ? { state }
          : learn(state, seen, meter),
    ),
    rule: SOUND.halts,
    steps: 1,
  },
  {
    fault: 'that waits',
    mutant: listing((): Listed => Object(Promise.resolve())),
    rule: SOUND.shape,
    message: /^observe returned a promise/,
    steps: 1,
  },
  {
    fault: 'that returns an unknown effect',
    mutant: { ...lookup, next: () => Object({ type: 'teleport', actor: 'all' }) },
    rule: SOUND.shape,
    message: /^next returned \{"type":"teleport","actor":"all"\}, but must return an effect/,
    steps: 0,
  },
  ...[
    { odd: new Set(['a']), is: 'Set' },
    { odd: 1n, is: 'bigint' },
    { odd: () => 1, is: 'function' },
  ].map(({ odd, is }) => ({
    fault: `that keeps a ${is} in its state`,
    mutant: listing(() => ({ list: [], more: { odd } })),
    rule: SOUND.plain,
    message: new RegExp(`: more\\.odd is a ${is}$`),
    steps: 1,
  })),
  {
    fault: 'whose state is a part of itself',
    mutant: listing((list) => {
      const more: { round?: object } = {}
      more.round = more
      return { list: [...list], more }
    }),
    rule: SOUND.plain,
    message: /it is circular/,
    steps: 1,
  },
]

describe('the exploration of a definition', () => {
  test('follows every run to its end', () => {
    const found = explore(lookup, WORLD)
    assert.deepEqual(found.findings, [])
    assert.equal(found.longest, 5)
    assert.deepEqual([...found.reasons].toSorted(), ['answered', 'canceled', 'failed', 'refused'])
    assert.equal(found.states, 17)
    found.assertSound()
    assert.match(
      found.toString(),
      /^lookup is sound: 17 states, the longest run sees 5 observations/,
    )
  })

  for (const { fault, mutant, rule, message = /./, steps } of MUTANTS) {
    test(`finds a definition ${fault}`, () => {
      const found = explore(mutant, { ...WORLD, maxStates: 500 })
      assert.deepEqual(
        found.findings.map((finding) => finding.rule),
        [rule],
      )
      assert.match(found.findings[0]?.message ?? '', message)
      assert.equal(found.findings[0]?.trace.length, steps)
      assert.equal(found.longest, undefined)
      assert.throws(() => found.assertSound(), { code: 'INVALID_DEFINITION' })
    })
  }

  test('shows the shortest path to a violated invariant', () => {
    const found = explore(lookup, {
      ...WORLD,
      invariants: { 'one round is enough': ({ after }) => after.rounds < 2 },
    })
    assert.equal(
      found.toString(),
      [
        'lookup is not sound',
        '✗ one round is enough: the last step breaks it',
        '  begins with "hi"',
        '  1. all asks the model small → it answers "" and calls look {} (tools)',
        '  2. all calls look {} → ok null',
        '  3. all asks the model small → it answers "" and calls look {} (tools)',
        '  4. all calls look {} → ok null',
      ].join('\n'),
    )
  })

  test('accepts assertions in an invariant', () => {
    const found = explore(lookup, {
      ...WORLD,
      invariants: {
        'no round': ({ after }) => {
          assert.equal(after.rounds, 0, 'there was a round')
          return true
        },
      },
    })
    assert.deepEqual(
      found.findings.map(({ rule, trace }) => [rule, trace.length]),
      [['no round', 2]],
    )
    assert.match(found.toString(), /^✗ no round: there was a round/m)
  })

  test('shortens a long input in a report', () => {
    const stubborn = learning(insteadOf('refused', (state) => ({ state })))
    const found = explore(stubborn, { ...WORLD, inputs: ['long '.repeat(1000)] })
    assert.ok(found.toString().length < 500)
    assert.equal(found.findings[0]?.input.length, 5002)
  })

  test('shows the repeating steps', () => {
    const [mutant] = MUTANTS.filter(({ fault }) => fault.includes('forgets to count'))
    assert.ok(mutant !== undefined)
    const lines = explore(mutant.mutant, WORLD).toString().split('\n')
    assert.deepEqual(lines.slice(-2), [
      '  ↻ all asks the model small → it answers "" and calls look {} (tools)',
      '  ↻ all calls look {} → ok null',
    ])
  })

  test('counts against limits as the runtime does, and never beyond', () => {
    const limits = { 'calls.small': 2, tools: 1, seconds: 1 }
    let refused = 0
    const found = explore(lookup, {
      ...WORLD,
      limits,
      invariants: {
        'no limit is exceeded': ({ spent }) =>
          Object.entries(limits).every(([counter, limit]) => (spent[counter] ?? 0) <= limit),
      },
      watch: ({ seen }) => {
        if (seen.type === 'refused' && seen.limit === 'calls.small') refused++
      },
    })
    found.assertSound()
    assert.equal(found.longest, 5)
    assert.ok(refused > 0)
  })

  test('treats a limit as progress: a run ended only by the budget is sound within it', () => {
    const endless = learning(
      insteadOf('tools-called', (state) => ({ state: { ...state, phase: 'think' } })),
    )
    assert.equal(explore(endless, WORLD).findings.length, 1)
    explore(endless, { ...WORLD, limits: { steps: 9 } }).assertSound()
  })

  test('stores and loads each state on request', () => {
    const stored = { ...WORLD, loads: true }
    const [lost] = explore(lookup, stored).findings
    assert.equal(lost?.rule, SOUND.loads)
    assert.equal(lost?.trace.length, 1)
    const isState = (value: unknown): value is State => typeof value === 'object' && value !== null
    const loading: Lookup = {
      ...lookup,
      load: (snapshot) => (isState(snapshot) ? snapshot : assert.fail('no state')),
    }
    explore(loading, stored).assertSound()
    // Such as a state put together by a schema.
    const reordered: Lookup = {
      ...lookup,
      load: (snapshot) => {
        const { why, rounds, phase } = loading.load(snapshot)
        return { why, rounds, phase }
      },
    }
    explore(reordered, stored).assertSound()
    assert.match(lost.message, /differ: phase: "(?:think|look|done)" and "think"/)
  })

  test('lets the user speak between any two steps, and after the last', () => {
    const hears = learning(
      (learn) => (state, seen, meter) =>
        seen.type === 'heard' ? { state: { ...state, phase: 'think' } } : learn(state, seen, meter),
    )
    const at = new Set<string>()
    const found = explore(hears, {
      ...WORLD,
      heard: ['wait'],
      watch: ({ seen, asked }) => {
        if (seen.type === 'heard') at.add(asked.type)
      },
    })
    found.assertSound()
    assert.deepEqual([...at].toSorted(), ['call-tools', 'finish', 'generate'])
  })

  test('lets the budget cut a batch after any of its calls', () => {
    const batches = new Set<string>()
    const calls = ['1', '2', '3'].map((id) => ({ ...CALL, id }))
    const definition: Lookup = {
      ...lookup,
      next: (state) =>
        state.phase === 'look' ? { type: 'call-tools', actor: 'all', calls } : lookup.next(state),
    }
    explore(definition, {
      ...WORLD,
      observations: {
        models: ['it is', { calls: [CALL] }],
        tools: () => [
          { type: 'ok', value: null },
          { type: 'error', code: 'TOOL_ERROR', message: 'no' },
        ],
      },
      watch: ({ seen }) => {
        if (seen.type !== 'tools-called') return
        batches.add(seen.outcomes.map(({ type }) => type.slice(0, 1)).join(''))
      },
    })
    assert.deepEqual([...batches].filter((batch) => batch.includes('r')).toSorted(), [
      'eer',
      'eor',
      'err',
      'oer',
      'oor',
      'orr',
      'rrr',
    ])
  })

  test('reports effects without observations, and with too many', () => {
    assert.throws(() => explore(lookup, { inputs: [], observations: {} }), {
      code: 'INVALID_CONFIG',
    })
    assert.throws(() => explore(lookup, { inputs: ['hi'], observations: {} }), {
      code: 'INVALID_CONFIG',
      message: /all asks the model small; give models in observations/,
    })
    const many = Array.from({ length: 5000 }, (_, nth) => ({ type: 'ok', value: nth }) as const)
    const observations = { models: [{ calls: [CALL] }], tools: () => many }
    assert.throws(() => explore(lookup, { inputs: ['hi'], observations }), {
      code: 'INVALID_CONFIG',
      message: /5000 possible ends/,
    })
  })
})

test('covers every end of questions, memories, sleep and concurrent effects', () => {
  const seen = new Set<string>()
  const steps = [
    { type: 'ask', actor: 'a', question: 'Go on?', schema: { type: 'boolean' }, expiresInMs: 5 },
    { type: 'say', actor: 'a', text: 'well' },
    { type: 'permit', actor: 'a', call: { id: 'c', tool: 't', input: 1 } },
    { type: 'recall', actor: 'a', memory: 'm' },
    { type: 'remember', actor: 'a', memory: 'm', value: 1, ifVersion: 1 },
    { type: 'sleep', actor: 'a', untilMs: 1000 },
    {
      type: 'together',
      effects: [
        { type: 'generate', actor: 'a', role: 'r', messages: PROMPT },
        { type: 'recall', actor: 'a', memory: 'm' },
      ],
    },
  ] as const
  const definition: AgentDefinition<null, number, null> = {
    name: 'all',
    version: 1,
    actors: {
      a: { roles: ['r'], tools: ['t'], reads: ['m'], writes: ['m'], asks: true, speaks: true },
    },
    start: () => ({ state: 0 }),
    next: (place) => steps[place] ?? { type: 'finish', result: null, reason: 'end' },
    observe: (place, { type }) => ({ state: type === 'canceled' ? 9 : place + 1 }),
    load: () => 0,
  }
  const times = new Set<number>()
  const timed: typeof definition = {
    ...definition,
    observe: (place, observed, meter) => {
      times.add(meter.at)
      return definition.observe(place, observed, meter)
    },
  }
  explore(timed, {
    inputs: [null],
    observations: { models: ['a', 'b'], memories: () => ['x', null] },
    watch: ({ seen: came }) =>
      void seen.add(
        came.type === 'together' ? came.observations.map(({ type }) => type).join('+') : came.type,
      ),
  }).assertSound()
  assert.deepEqual(
    [...seen].toSorted(),
    'answered canceled failed failed+failed failed+recalled generated+failed generated+recalled permitted recalled refused remembered said unanswered woke'.split(
      ' ',
    ),
  )
  assert.deepEqual(
    [...times].toSorted((a, b) => a - b),
    [0, 5, 1000],
  )
})

test('graphs: the longest path, and a cycle nearest to the start', () => {
  assert.equal(longestPath([[1, 2], [3], [3], []]), 2)
  assert.equal(longestPath([[1], [0]]), undefined)
  assert.equal(circleIn([[1], [2], []]), undefined)
  assert.deepEqual(circleIn([[1, 4], [2], [3], [1], []]), [1, 2, 3])
  assert.deepEqual(circleIn([[0, 1], [1]]), [0])
  assert.deepEqual(
    circleIn([[0, 1], [1]], (from) => from === 1),
    [1],
  )
})
