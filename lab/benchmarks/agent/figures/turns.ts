import type { Measured } from '../bars.ts'
import { compare } from '../compare.ts'
import { adder, clients, conversation } from '../contestant.ts'
import { looping } from '../model.ts'

const EARLIER = 1000

export const turn = (): Promise<readonly Measured[]> =>
  compare({
    bar: 'turn',
    setup: () => ({ model: looping({ steps: 0, tool: 'add' }), tool: adder() }),
    expected: { modelCalls: 1, toolCalls: 0 },
  })

export const step = (): Promise<readonly Measured[]> =>
  compare({
    bar: 'step',
    setup: () => ({ model: looping({ steps: 10, tool: 'add' }), tool: adder() }),
    expected: { modelCalls: 11, toolCalls: 10 },
    race: { per: 10 },
  })

export const tools = (): Promise<readonly Measured[]> =>
  compare({
    bar: 'tools',
    setup: () => ({ model: looping({ steps: 1, tool: 'add', atOnce: 8 }), tool: adder(5) }),
    warm: () => ({ model: looping({ steps: 1, tool: 'add', atOnce: 8 }), tool: adder(0) }),
    expected: { modelCalls: 2, toolCalls: 8 },
    scale: 1000,
  })

export const history = (): Promise<readonly Measured[]> =>
  compare({
    bar: 'history',
    setup: () => ({
      model: looping({ steps: 0, tool: 'add' }),
      tool: adder(),
      history: conversation(EARLIER),
    }),
    expected: { modelCalls: 1, toolCalls: 0, messages: EARLIER },
  })

/** A turn of a stateless server, which gets the whole conversation from its client. */
const given = (bar: 'given' | 'given-long', messages: number) => (): Promise<readonly Measured[]> =>
  compare({
    bar,
    setup: () => ({
      model: looping({ steps: 0, tool: 'add' }),
      tool: adder(),
      given: clients(messages),
    }),
    expected: { modelCalls: 1, toolCalls: 0, messages },
  })

export const givenShort: () => Promise<readonly Measured[]> = given('given', 1000)
export const givenLong: () => Promise<readonly Measured[]> = given('given-long', 4000)
