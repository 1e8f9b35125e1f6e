import { createDecider, type DeciderOptions } from 'echelon'
import type { Config } from 'echelon/config'
import type { CaseOptions, CaseResult } from 'echelon/decide'
import { recordRun } from 'echelon/replay'
import { aboutCase } from './about.ts'
import { cancelBy } from './cancel-by.ts'

interface AskedCase {
  readonly task: string
  readonly options: CaseOptions
  readonly parts: DeciderOptions & { readonly config: Config }
}

/**
 * Decides one case and records it in a new file.
 * @param say receives what could not be recorded
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
