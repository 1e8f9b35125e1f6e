import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { digestText } from '../../packages/echelon/src/core/value/digest.ts'
import {
  defineTool,
  type Tool,
  ToolError,
  type ToolSpec,
} from '../../packages/echelon/src/core/tool/tool.ts'
import type { Death } from './death.ts'

/** An external effect, which the run cannot undo. */
export interface Deed {
  readonly tool: string
  readonly key: string
}

type More = Partial<Pick<ToolSpec<unknown>, 'does' | 'needsApproval' | 'parallel'>> & {
  /** Whether it can find out after a crash what happened to a call. */
  readonly canTell?: boolean
  /** Asked of the user within the call. */
  readonly asks?: string
  readonly answer?: Json
}

export interface OutsideOptions {
  readonly death?: Death
  /** Its failing parts, the same in every process; 0, the default, for none. */
  readonly faults?: number
}

/** One in so many parts fails. */
const FAULTY = 9

/** The world outside of a run, as files that outlive every process. */
export class Outside {
  readonly #file: string
  readonly #run: string
  readonly #death: Death | undefined
  readonly #faults: number

  constructor(folder: string, run: string, { death, faults = 0 }: OutsideOptions = {}) {
    this.#file = join(folder, `${run}.did`)
    this.#run = run
    this.#death = death
    this.#faults = faults
  }

  /** Whether a part of the world fails. */
  fails(part: string): boolean {
    const { length } = this.#run
    const own = part.startsWith(this.#run) ? part.slice(length) : part
    return this.#faults > 0 && digestText(`${this.#faults} ${own}`) % FAULTY === 0
  }

  /** Does something that can be counted. The process may die right before or after it. */
  do(tool: string, key: string): void {
    this.#death?.acting(false)
    appendFileSync(this.#file, `${tool} ${key}\n`)
    this.#death?.acting(true)
  }

  get deeds(): readonly Deed[] {
    if (!existsSync(this.#file)) return []
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => {
      const [tool = '', key = ''] = line.split(' ')
      return { tool, key }
    })
  }

  /** A tool that does one thing to the world and reports it. */
  tool(name: string, { canTell = false, asks, answer = 'done', ...more }: More = {}): Tool {
    return defineTool({
      name,
      description: name,
      ...more,
      input: z.record(z.string(), z.unknown()),
      run: async (_input, { key, ask }) => {
        if (this.fails(key)) throw new ToolError('TOOL_ERROR', 'it is out of order')
        const reply = asks === undefined ? undefined : await ask?.(asks)
        this.do(name, key)
        return reply === undefined ? answer : [answer, reply]
      },
      ...(canTell && {
        reconcile: async (key) =>
          this.deeds.some((deed) => deed.tool === name && deed.key === key)
            ? { type: 'ok', value: answer }
            : 'not-done',
      }),
    })
  }
}
