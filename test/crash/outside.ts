import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Json } from '../../src/core/json.ts'
import { defineTool, type Tool, type ToolSpec } from '../../src/core/tool.ts'
import type { Death } from './death.ts'

/** Something that really happened: what the run cannot take back. */
export interface Deed {
  readonly tool: string
  readonly key: string
}

type More = Partial<Pick<ToolSpec<unknown>, 'does' | 'needsApproval' | 'parallel'>> & {
  /** Whether it can tell after a crash what became of a call. */
  readonly canTell?: boolean
  /** Asked of the user within the call. */
  readonly asks?: string
  readonly answer?: Json
}

/** The world outside of a run, as files: it outlives every process. */
export class Outside {
  readonly #file: string
  readonly #death: Death | undefined

  constructor(folder: string, run: string, death?: Death) {
    this.#file = join(folder, `${run}.did`)
    this.#death = death
  }

  /** Does something that can be counted. The process may die right after it. */
  do(tool: string, key: string): void {
    appendFileSync(this.#file, `${tool} ${key}\n`)
    this.#death?.acted()
  }

  get deeds(): readonly Deed[] {
    if (!existsSync(this.#file)) return []
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => {
      const [tool = '', key = ''] = line.split(' ')
      return { tool, key }
    })
  }

  /** A tool that does one thing to the world, and says that it did. */
  tool(name: string, { canTell = false, asks, answer = 'done', ...more }: More = {}): Tool {
    return defineTool({
      name,
      description: name,
      ...more,
      input: z.record(z.string(), z.unknown()),
      run: async (_input, { key, ask }) => {
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
