import type { Json } from 'echelon/runtime'

/** A script of a skill, approved by a person. */
export interface SkillScript {
  /** Name of the skill. */
  readonly skill: string
  /** Folder of the skill, absolute. */
  readonly folder: string
  /** The script itself, absolute and within that folder. */
  readonly file: string
  /** Arguments as the model wrote them: at most 32, each of at most 4096 characters. */
  readonly args: readonly string[]
}

/** Runs scripts of skills. Without one, scripts are not run. */
export interface SkillScripts {
  /**
   * Runs a script and returns the output for the model.
   * @param signal aborts on cancel and on timeout
   */
  run(script: SkillScript, signal: AbortSignal): Promise<Json>
  /** Timeout of one script in milliseconds; default 30,000. */
  readonly timeoutMs?: number
}
