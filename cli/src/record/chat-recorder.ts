import { recordRun, type RunRecording } from 'echelon/replay'
import type { AgentChoice } from '../chat/agent-choice.ts'
import type { ChatMade } from '../chat/make-agent.ts'
import type { Approve } from '../conversation/display.ts'
import type { Kept } from '../chat/session-file.ts'
import type { OfferedParts } from './offered-parts.ts'
import { asJson } from './about.ts'

/** Circumstances of a chat. */
interface ChatAround {
  readonly canAsk: boolean
  readonly approve: Approve | undefined
  readonly brought: OfferedParts
}

/** Records a conversation from when its agent is made. */
export class ChatRecorder {
  readonly #file: string
  readonly #choice: AgentChoice
  readonly #kept: Kept | undefined
  #recording: RunRecording | undefined

  constructor(file: string, choice: AgentChoice, kept: Kept | undefined) {
    this.#file = file
    this.#choice = choice
    this.#kept = kept
  }

  /** Undefined before there is an agent. */
  get recording(): RunRecording | undefined {
    return this.#recording
  }

  /** @throws EchelonError INVALID_CONFIG for a file that cannot be written */
  begin({ config, model }: ChatMade, { canAsk, approve, brought }: ChatAround): RunRecording {
    const { instructions, maxIterations, maxSeconds, tools, ask, skillScripts } = this.#choice
    const about = asJson({
      command: 'chat',
      model,
      settings: config.settings,
      canAsk,
      unasked: !canAsk && approve === undefined,
      choice: { instructions, maxIterations, maxSeconds, tools, ask, skillScripts },
      brought,
      checkpoint: this.#kept?.checkpoint,
    })
    return (this.#recording = recordRun(this.#file, { about }))
  }
}
