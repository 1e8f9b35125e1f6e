import { ToolError } from 'echelon/internal/tool'
import { evaluate, fingerprint } from './evaluate.ts'
import { AbortedError } from './refuse.ts'

const initialFingerprint = fingerprint()
/** State of the arithmetic since it was last checked. */
let state: 'sound' | 'suspect' | 'broken' = 'sound'

/** The calculator's worker function. */
export default function answer({ expr }: { readonly expr: string }): string {
  try {
    return evaluate(expr)
  } catch (error) {
    const isRefusal = error instanceof ToolError && !(error instanceof AbortedError)
    state = isRefusal ? 'suspect' : 'broken'
    throw error
  }
}

/**
 * Whether the worker can be reused. Checks the arithmetic after a refusal, which may have
 * interrupted it.
 */
export function isIntact(): boolean {
  if (state === 'suspect' && fingerprint() === initialFingerprint) state = 'sound'
  return state === 'sound'
}
