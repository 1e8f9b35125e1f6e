import type { Json } from 'echelon/runtime'

/** A script of a skill that a person approved. */
export interface SkillScript {
  /** Name of the skill. */
  readonly skill: string
  /** Folder of the skill, absolute. */
  readonly folder: string
  /** The script itself, absolute and within that folder. */
  readonly file: string
  /** As the model wrote them: at most 32, each of at most 4096 characters. */
  readonly args: readonly string[]
}

/** How scripts of skills are run. Without one they are not. */
export interface SkillScripts {
  /**
   * Runs one and gives what the model is to see of it.
   * @param signal aborts on cancel and when the time is over
   */
  run(script: SkillScript, signal: AbortSignal): Promise<Json>
  /** Milliseconds for one script; default 30,000. */
  readonly timeoutMs?: number
}
