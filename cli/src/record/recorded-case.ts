import { createDecider, type DeciderOptions } from 'echelon'
import type { Config } from 'echelon/config'
import type { CaseOptions, CaseResult } from 'echelon/decide'
import { recordRun, type SteeredRun } from 'echelon/replay'
import { aboutCase } from './about.ts'

interface AskedCase {
  readonly task: string
  readonly options: CaseOptions
  readonly parts: DeciderOptions & { readonly config: Config }
}

/**
 * Decides one case and records it in a new file.
 * @param say hears what could not be recorded
 */
export async function recordedCase(
  file: string,
  { task, options, parts }: AskedCase,
  say: (text: string) => void,
): Promise<CaseResult> {
  const recording = recordRun(file, { about: aboutCase(task, options, parts.config) })
  const { signal, ...rest } = options
  try {
    const decider = await createDecider(await recording.forDecider(parts))
    const started = await decider.start(task, rest)
    const release = signal && cancelBy(signal, recording.watch(started.run))
    try {
      return await started.outcome
    } finally {
      release?.()
    }
  } finally {
    const problem = recording.close()
    if (problem !== undefined) say(problem)
  }
}

/** Has a signal cancel a run that is recorded, so that the cancel is on record too. */
export function cancelBy(signal: AbortSignal, run: Pick<SteeredRun, 'cancel'>): () => void {
  const cancel = (): void => run.cancel()
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}
