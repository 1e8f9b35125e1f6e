import { ToolError } from 'echelon/internal/tool'
import { evaluate, fingerprint } from './evaluate.ts'
import { BrokenOff } from './refuse.ts'

const sound = fingerprint()
/** What came of expressions since it was last asked whether the arithmetic is still sound. */
let state: 'sound' | 'suspect' | 'broken' = 'sound'

/** What the process of the calculator runs. */
export default function answer({ expr }: { readonly expr: string }): string {
  try {
    return evaluate(expr)
  } catch (error) {
    const isRefusal = error instanceof ToolError && !(error instanceof BrokenOff)
    state = isRefusal ? 'suspect' : 'broken'
    throw error
  }
}

/** After a refusal the arithmetic is tried, since a refusal may come in the middle of it. */
export function isIntact(): boolean {
  if (state === 'suspect' && fingerprint() === sound) state = 'sound'
  return state === 'sound'
}
