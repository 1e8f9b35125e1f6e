import { REASONING, type Reasoning } from '../../../core/model/model.ts'
import { DEFAULT_REDACTION } from '../../../core/redaction/redaction.ts'
import {
  oneOf,
  orNull,
  real,
  type Setting,
  setting,
  type SettingTable,
  text,
  texts,
  whole,
  yesOrNo,
} from '../../../core/setting/setting.ts'
import { type KnownSetting, listed } from '../../../core/setting/setting-tree.ts'

export const MODES = ['hrm_small_then_escalate', 'fallback_only'] as const
/** How long the small model is tried: the full loop, or one round. */
export type Mode = (typeof MODES)[number]

export const ESCALATE_WHEN = ['fail', 'fail_or_budget'] as const
/** Whether a reached limit promotes the task as well, or only a failure. */
export type EscalateWhen = (typeof ESCALATE_WHEN)[number]

export const UNCHECKED = ['answer', 'escalate', 'refuse'] as const
/**
 * The action when no verifier or gate can check the answer: return the small model's answer as not checked, also
 * ask bigger models, or ask no model.
 */
export type Unchecked = (typeof UNCHECKED)[number]

/**
 * All settings of the decision agent, named as in a configuration file. The rows of the table below give each
 * one's meaning, allowed values and default.
 */
export interface DecideSettings {
  readonly models: {
    /** As `provider/model`. */
    readonly small_model: string
    readonly big_model: string
    /** Cheapest first; replaces the small and big models if given. */
    readonly ladder: readonly string[] | null
  }
  readonly budget: {
    /** Attempts on the wire for each rung below the top. */
    readonly max_llm_calls_small: number
    /** Attempts on the wire for the top rung. */
    readonly max_llm_calls_big: number
    /** For all rungs together; default 6, and 3 more for each rung beyond two. */
    readonly max_tool_calls: number | null
    /** Working time of the run, without waits for a person. */
    readonly max_seconds: number
    /** Input and output tokens of all calls; unlimited by default. */
    readonly max_tokens: number | null
    /** US dollars; unlimited by default. */
    readonly max_cost_usd: number | null
    /** Tool calls of the verifier; default 12, and 6 more for each rung beyond two. */
    readonly max_checks: number | null
  }
  readonly act: {
    /** Further rounds within a rung; default 3, in fallback_only 0. */
    readonly max_steps: number | null
    readonly no_progress_patience: number
    /** For graded tasks; a right-or-wrong task needs 1. */
    readonly min_improvement: number
  }
  readonly verifier_thresholds: {
    /** Metric from 0 to 1 at which a stock task passes. */
    readonly stock: number
  }
  readonly flags: {
    readonly escalate_when: EscalateWhen
    readonly unchecked: Unchecked
    readonly allow_big_retry_once: boolean
    readonly parallel_tools: boolean
  }
  /** Judges answers to questions that no verifier reads. */
  readonly gate: {
    /** A fitted score, as `echelon tune` writes it; null for none. */
    readonly file: string | null
    /** The score from which an answer is accepted. */
    readonly accept: number
    /** The models of its second opinions, in the order of the fit. */
    readonly opinions: readonly string[] | null
  }
  readonly limits: {
    readonly max_input_chars: number
    readonly max_artifact_mb: number
    readonly max_prompt_tokens: number
    readonly max_completion_tokens: number
    /** For one attempt on the wire; a late answer is retried, within the budget. */
    readonly max_call_seconds: number
    /** For a reasoning model, including its reasoning; see `reasoning`. */
    readonly max_reasoning_tokens: number
    /** For one attempt of a reasoning model. */
    readonly max_reasoning_seconds: number
  }
  /** Reasoning effort of the models; null leaves it to the provider's settings. */
  readonly reasoning: {
    /** For the first model. Null: its provider's settings, else the lowest effort it supports. */
    readonly small: Reasoning | null
    /** For all bigger models. Null: their providers' settings, else the models' defaults. */
    readonly big: Reasoning | null
  }
  /** Sampling parameters; null leaves them to the provider. */
  readonly sampling: {
    readonly temperature: number | null
    readonly top_p: number | null
    readonly frequency_penalty: number | null
    readonly presence_penalty: number | null
    readonly stop: readonly string[] | null
  }
  readonly telemetry: {
    readonly redact_pii: boolean
    readonly redact_fields: readonly string[]
    readonly keep_fields: readonly string[]
    /** IANA name; null means the system's. */
    readonly timezone: string | null
  }
  readonly security: {
    readonly allowed_file_extensions: readonly string[]
    readonly sanitize_filenames: boolean
    readonly max_concurrent_tool_calls: number
    /** Null allows every registered tool. */
    readonly allowed_tools: readonly string[] | null
    readonly denied_tools: readonly string[]
  }
  /** Budgets and rounds by mode; omitted values are as above. */
  readonly modes: { readonly [Name in Mode]?: ModeSettings }
  /** By tool name; omitted values are the tool's own. */
  readonly tools: Readonly<Record<string, ToolSettings>>
}

/** The settings that a mode overrides. */
export interface ModeSettings {
  readonly budget?: Partial<DecideSettings['budget']>
  readonly act?: Partial<DecideSettings['act']>
}

export interface ToolSettings {
  /** Retries after a network failure; each counts as a tool call. */
  readonly retries?: number
}

/** A model's name. Its provider is checked when the model is loaded, since only that code knows the providers. */
const model = text('a model as provider/model, such as openai/gpt-5-nano', (name) =>
  /^[^/\s]+\/\S+$/.test(name),
)

/** May be a line break, as a stop sequence. */
const anyText = text('a text', (one) => one !== '')

const timeZone = text('an IANA time zone such as Asia/Bangkok', (name) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
})

const budget: SettingTable<DecideSettings>['budget'] = {
  max_llm_calls_small: setting(
    whole(0),
    6,
    'Calls of each model below the top one, counting every HTTP attempt',
  ),
  max_llm_calls_big: setting(whole(0), 2, 'Calls of the top model, counting every HTTP attempt'),
  max_tool_calls: setting(
    orNull(whole(0)),
    null,
    'Tool calls of all models; null: 6, and 3 more for each model beyond two',
  ),
  max_seconds: setting(real(0), 60, 'Seconds of a run, not counting waits for a person'),
  max_tokens: setting(
    orNull(whole(0)),
    null,
    'Input and output tokens of all calls; null: no limit',
  ),
  max_cost_usd: setting(
    orNull(real(0)),
    null,
    'US dollars of all calls; null: no limit. With a limit, calls of unknown price are refused',
  ),
  max_checks: setting(
    orNull(whole(0)),
    null,
    'Tool calls of the verifier; null: 12, and 6 more for each model beyond two',
  ),
}

const act: SettingTable<DecideSettings>['act'] = {
  max_steps: setting(
    orNull(whole(0)),
    null,
    'Rounds with one model after the first; null: 3, or 0 in fallback_only, which allows 0 or 1',
  ),
  no_progress_patience: setting(
    whole(0),
    1,
    'Consecutive rounds without progress before a bigger model takes over',
  ),
  min_improvement: setting(
    real(0),
    0.01,
    'Score increase that counts as progress in a graded task, 0 to 1; right-or-wrong tasks need 1',
  ),
}

const TABLE: SettingTable<Omit<DecideSettings, 'modes' | 'tools'>> = {
  models: {
    small_model: setting(model, 'openai/gpt-5-nano', 'Model that starts every task'),
    big_model: setting(model, 'openai/gpt-5', 'Model that a task escalates to'),
    ladder: setting(
      orNull(texts(model, 1)),
      null,
      'List of models, cheapest first, instead of small_model and big_model',
    ),
  },
  budget,
  act,
  verifier_thresholds: {
    stock: setting(real(0), 0.95, 'Share of correct parts, 0 to 1, at which a stock task passes'),
  },
  flags: {
    escalate_when: setting(
      oneOf(ESCALATE_WHEN),
      'fail_or_budget',
      'When a task escalates: on failure only (fail), or also when a limit is reached (fail_or_budget)',
    ),
    unchecked: setting(
      oneOf(UNCHECKED),
      'answer',
      "If an answer can't be checked: return the small model's answer as not checked (answer), escalate to bigger models (escalate), or ask no model (refuse)",
    ),
    allow_big_retry_once: setting(yesOrNo, true, 'Whether the top model may try a second time'),
    parallel_tools: setting(yesOrNo, false, 'Whether independent tool calls run at the same time'),
  },
  gate: {
    file: setting(
      orNull(text('the path of a file')),
      null,
      'Fitted score (gate.json of echelon tune) that judges answers to questions that no verifier reads; null: none',
    ),
    accept: setting(real(0, 1), 0.8, 'Score from which the gate accepts an answer, 0 to 1'),
    opinions: setting(
      orNull(texts(model)),
      null,
      'Models that the gate asks for second opinions, in the order of --opinions of echelon tune',
    ),
  },
  limits: {
    max_input_chars: setting(whole(1), 8192, 'Maximum characters of a task'),
    max_artifact_mb: setting(real(0), 5, 'Maximum megabytes of one file made by a tool'),
    max_prompt_tokens: setting(
      whole(1),
      4000,
      'Maximum tokens of a prompt (estimated); the oldest evidence is dropped to fit',
    ),
    max_completion_tokens: setting(
      whole(16),
      1000,
      'Maximum tokens of an answer; at most 500 for a plan by a model without reasoning',
    ),
    max_call_seconds: setting(
      real(0.001),
      15,
      'Seconds of one HTTP attempt; a timed-out attempt is retried within the budget',
    ),
    max_reasoning_tokens: setting(
      whole(16),
      4096,
      'Maximum tokens of an answer by a reasoning model (see reasoning), including its reasoning',
    ),
    max_reasoning_seconds: setting(
      real(0.001),
      45,
      'Seconds of one HTTP attempt with a reasoning model',
    ),
  },
  reasoning: {
    small: setting(
      orNull(oneOf(REASONING)),
      null,
      `Reasoning effort of the first model: ${REASONING.join(', ')}; null: as set for its provider, else least`,
    ),
    big: setting(
      orNull(oneOf(REASONING)),
      null,
      "Reasoning effort of bigger models; null: as set for their providers, else the model's default",
    ),
  },
  sampling: {
    temperature: setting(
      orNull(real(0, 2)),
      0.1,
      'Temperature, 0 to 2; not sent to models that do not support it',
    ),
    top_p: setting(
      orNull(real(0, 1)),
      null,
      'Nucleus sampling: share of probability to sample from, 0 to 1',
    ),
    frequency_penalty: setting(
      orNull(real(-2, 2)),
      null,
      'Penalty for tokens by how often they were used, -2 to 2',
    ),
    presence_penalty: setting(
      orNull(real(-2, 2)),
      null,
      'Penalty for tokens already used, -2 to 2',
    ),
    stop: setting(orNull(texts(anyText)), null, 'Stop sequences, which end an answer'),
  },
  telemetry: {
    redact_pii: setting(
      yesOrNo,
      true,
      'Whether personal data and secrets are hidden in logs and events',
    ),
    redact_fields: setting(
      texts(),
      DEFAULT_REDACTION.deny,
      'Names of fields whose values are always hidden there',
    ),
    keep_fields: setting(texts(), [], 'Names of fields whose values are never hidden there'),
    timezone: setting(
      orNull(timeZone),
      null,
      "IANA time zone for dates, such as Asia/Bangkok; null: the system's",
    ),
  },
  security: {
    allowed_file_extensions: setting(
      texts(),
      ['.png', '.jpg', '.json', '.txt'],
      'Extensions allowed for files made by tools',
    ),
    sanitize_filenames: setting(
      yesOrNo,
      true,
      'Whether unusual characters in file names are replaced by _',
    ),
    max_concurrent_tool_calls: setting(
      whole(1),
      3,
      'Maximum concurrent tool calls, with flags.parallel_tools',
    ),
    allowed_tools: setting(orNull(texts()), null, 'Tools that may be called; null: all'),
    denied_tools: setting(texts(), [], 'Tools that may not be called, even if allowed above'),
  },
}

/** A setting without a default. */
const absent = (setting: Setting, path: string): KnownSetting => ({
  ...setting,
  path,
  default: undefined,
  example: setting.default,
})

/** The budgets and rounds of one mode. */
const ofMode = (mode: Mode): readonly KnownSetting[] =>
  listed({ budget, act }).map((one) => {
    const isFew = mode === 'fallback_only' && one.path === 'act.max_steps'
    const kind = isFew ? orNull(whole(0, 1)) : one.kind
    return absent({ ...one, kind }, `modes.${mode}.${one.path}`)
  })

/** Every setting of the decision agent. */
export const SETTINGS: readonly KnownSetting[] = [
  ...listed(TABLE),
  ...MODES.flatMap(ofMode),
  {
    path: 'tools.*.retries',
    kind: whole(0),
    default: undefined,
    example: 2,
    meaning: 'Retries of this tool after a network failure; each retry counts as a tool call',
  },
]
