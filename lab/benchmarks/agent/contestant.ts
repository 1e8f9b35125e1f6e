import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'
import type { Schema } from '../../../packages/echelon/src/core/schema/schema.ts'
import type { Middleware } from '../../../packages/echelon/src/core/extension/defined-middleware.ts'
import type { Tracing } from '../../../packages/echelon/src/core/observability/tracing.ts'
import { z } from 'zod'
import type { Agent, Session } from '../../../packages/echelon/src/chat.ts'

/** A tool, before conversion to the form of a contestant. */
export interface BenchTool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject<{ a: z.ZodNumber; b: z.ZodNumber }> & Schema<Sum>
  readonly run: (input: Sum) => number | Promise<number>
  readonly seen: { calls: number }
}

interface Sum {
  readonly a: number
  readonly b: number
}

/** The same model object and tool for every contestant. */
export interface Setup {
  readonly model: LanguageModelV4
  readonly tool: BenchTool
  /** Earlier messages; default: none. */
  readonly history?: readonly LanguageModelV4Message[]
  /** Inputs of runs in place of a text: whole conversations, each parsed separately. */
  readonly given?: Rounds<readonly LanguageModelV4Message[]>
}

/** A contestant's agent, ready to run. */
export interface Runner {
  /** Runs one turn. @returns the answer */
  run(text: string): Promise<string>
  /** Runs and watches one turn. @returns the number of text deltas */
  stream(text: string): Promise<number>
}

export interface Contestant {
  readonly name: 'bare' | 'ai' | 'echelon'
  prepare(setup: Setup): Runner
}

/** Creates agents that share model and tool. */
export type MakesAgents<Made extends object> = (setup: Setup) => () => Made

/** Only for Echelon. */
export interface EchelonContestant extends Contestant {
  readonly name: 'echelon'
  prepare(
    setup: Setup & { readonly middlewares?: readonly Middleware[]; readonly tracing?: Tracing },
  ): Runner
  /** Bytes of a run's journal, as JSON. */
  journalBytes(setup: Setup): Promise<number>
  readonly agents: MakesAgents<Agent>
  /** Creates sessions of one agent, each after one turn. */
  sessions(setup: Setup): () => Promise<Session>
  /** Switches an agent's provider back and forth. */
  switching(setup: Setup): () => Promise<void>
}

/** Adds two numbers, at once or after a delay in milliseconds. */
export function adder(ms?: number): BenchTool {
  const seen = { calls: 0 }
  const input = z.object({ a: z.number(), b: z.number() })
  // Without a delay it is still a promise, so that the waiting code is the same.
  const wait = (sum: number): Promise<number> =>
    ms === 0 ? Promise.resolve(sum) : new Promise((resolve) => setTimeout(() => resolve(sum), ms))
  return {
    name: 'add',
    description: 'Adds two numbers.',
    input,
    seen,
    run: ({ a, b }) => {
      seen.calls++
      return ms === undefined ? a + b : wait(a + b)
    },
  }
}

/** Cycles through the values. */
export class Rounds<Item> {
  readonly #items: readonly [Item, ...Item[]]
  #next = 0

  constructor(items: readonly [Item, ...Item[]]) {
    this.#items = items
  }

  /** The same in another form, converted in advance. */
  map<Other>(change: (item: Item) => Other): Rounds<Other> {
    const [first, ...others] = this.#items
    return new Rounds([change(first), ...others.map(change)])
  }

  next(): Item {
    this.#next = (this.#next + 1) % this.#items.length
    return this.#items[this.#next] ?? this.#items[0]
  }
}

/** Number of conversations, more than fit into processor caches. */
const CLIENTS = 32

/**
 * Conversations as clients send them to a stateless server, each parsed separately before timing, so
 * that no contestant can reuse a message object.
 */
export function clients(messages: number): Rounds<readonly LanguageModelV4Message[]> {
  const asked = { role: 'user', content: [{ type: 'text', text: 'go' }] }
  const sent = JSON.stringify([...conversation(messages), asked])
  const parsed = (): readonly LanguageModelV4Message[] => JSON.parse(sent)
  return new Rounds([parsed(), ...Array.from({ length: CLIENTS - 1 }, parsed)])
}

/** A typical chat: question, answer, question. */
export const conversation = (messages: number): readonly LanguageModelV4Message[] =>
  Array.from({ length: messages }, (_, index): LanguageModelV4Message => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `message ${index}` }],
  }))
