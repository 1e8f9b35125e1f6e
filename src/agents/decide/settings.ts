import { EchelonError } from '../../core/error.ts'
import { DEFAULT_REDACTION } from '../../core/redaction.ts'

export const MODES = ['hrm_small_then_escalate', 'fallback_only'] as const
/** How long the small model is tried: the full loop, or one round. */
export type Mode = (typeof MODES)[number]

export const ESCALATE_WHEN = ['fail', 'fail_or_budget'] as const
/** Whether a limit that is reached promotes the task too, or only a failure. */
export type EscalateWhen = (typeof ESCALATE_WHEN)[number]

/** Everything that can be set about the decision agent, named as in a configuration file. */
export interface DecideSettings {
  readonly models: {
    /** As `provider/model`. The default works without key and network, and reads little. */
    readonly small_model: string
    readonly big_model: string
    /** Cheapest first; if given, stands in for small and big. */
    readonly ladder: readonly string[] | null
  }
  readonly budget: {
    /** Attempts on the wire for each rung below the top. */
    readonly max_llm_calls_small: number
    /** Attempts on the wire for the top rung. */
    readonly max_llm_calls_big: number
    /** All rungs together; default 6, and 3 more for each rung beyond two. */
    readonly max_tool_calls: number | null
    /** Working time of the run, waits for a person not counted. */
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
    /** Metric, 0 to 1, from which a stock task passes. */
    readonly stock: number
  }
  readonly flags: {
    readonly escalate_when: EscalateWhen
    readonly allow_big_retry_once: boolean
    readonly parallel_tools: boolean
  }
  readonly limits: {
    readonly max_input_chars: number
    readonly max_artifact_mb: number
    readonly max_prompt_tokens: number
    readonly max_completion_tokens: number
    /** Of one attempt on the wire; a late answer is tried again, within the budget. */
    readonly max_call_seconds: number
  }
  readonly telemetry: {
    readonly redact_pii: boolean
    readonly redact_fields: readonly string[]
    readonly keep_fields: readonly string[]
    /** IANA name; null is the system's. */
    readonly timezone: string | null
  }
  readonly security: {
    readonly allowed_file_extensions: readonly string[]
    readonly sanitize_filenames: boolean
    readonly max_concurrent_tool_calls: number
    /** Null allows every tool that is registered. */
    readonly allowed_tools: readonly string[] | null
    readonly denied_tools: readonly string[]
  }
  /** Budgets and rounds by mode; what a mode leaves out is as above. */
  readonly modes: { readonly [Name in Mode]?: ModeSettings }
}

export const DEFAULT_SETTINGS: DecideSettings = {
  models: { small_model: 'offline/small', big_model: 'offline/big', ladder: null },
  budget: {
    max_llm_calls_small: 6,
    max_llm_calls_big: 2,
    max_tool_calls: null,
    max_seconds: 60,
    max_tokens: null,
    max_cost_usd: null,
    max_checks: null,
  },
  act: { max_steps: null, no_progress_patience: 1, min_improvement: 0.01 },
  verifier_thresholds: { stock: 0.95 },
  flags: { escalate_when: 'fail_or_budget', allow_big_retry_once: true, parallel_tools: false },
  limits: {
    max_input_chars: 8192,
    max_artifact_mb: 5,
    max_prompt_tokens: 4000,
    max_completion_tokens: 1000,
    max_call_seconds: 15,
  },
  telemetry: {
    redact_pii: true,
    redact_fields: DEFAULT_REDACTION.deny,
    keep_fields: [],
    timezone: null,
  },
  security: {
    allowed_file_extensions: ['.png', '.jpg', '.json', '.txt'],
    sanitize_filenames: true,
    max_concurrent_tool_calls: 3,
    allowed_tools: null,
    denied_tools: [],
  },
  modes: {},
}

/** Some settings; what is left out has its default. */
export type PartialSettings = {
  readonly [Section in keyof DecideSettings]?: Partial<DecideSettings[Section]>
}

/** What a mode sets otherwise than the rest of the settings. */
export interface ModeSettings {
  readonly budget?: Partial<DecideSettings['budget']>
  readonly act?: Partial<DecideSettings['act']>
}

/**
 * Settings with the defaults filled in, checked.
 * @throws EchelonError INVALID_CONFIG that names the setting and what it may be
 */
export function completeSettings(given: PartialSettings = {}): DecideSettings {
  checkNames(given)
  const settings: DecideSettings = {
    models: { ...DEFAULT_SETTINGS.models, ...given.models },
    budget: { ...DEFAULT_SETTINGS.budget, ...given.budget },
    act: { ...DEFAULT_SETTINGS.act, ...given.act },
    verifier_thresholds: { ...DEFAULT_SETTINGS.verifier_thresholds, ...given.verifier_thresholds },
    flags: { ...DEFAULT_SETTINGS.flags, ...given.flags },
    limits: { ...DEFAULT_SETTINGS.limits, ...given.limits },
    telemetry: { ...DEFAULT_SETTINGS.telemetry, ...given.telemetry },
    security: { ...DEFAULT_SETTINGS.security, ...given.security },
    modes: { ...given.modes },
  }
  checkNumbers(settings)
  for (const [mode, overrides] of Object.entries(settings.modes)) {
    if (!MODES.some((known) => known === mode)) {
      throw invalid(`modes.${mode} is no mode; use ${MODES.join(' or ')}`)
    }
    checkNumbers(overrides, `modes.${mode}.`)
  }
  const { escalate_when } = settings.flags
  if (!ESCALATE_WHEN.includes(escalate_when)) {
    throw invalid(
      `flags.escalate_when is ${escalate_when}; it may be ${ESCALATE_WHEN.join(' or ')}`,
    )
  }
  const { ladder } = settings.models
  if (ladder !== null && ladder.length === 0) {
    throw invalid('models.ladder is empty; name at least one model, or leave it out')
  }
  return settings
}

/** A name that is no setting would be ignored in silence, and its limit not hold. */
function checkNames(given: PartialSettings): void {
  for (const [section, values] of Object.entries(given)) {
    const known = Object.entries(DEFAULT_SETTINGS).find(([name]) => name === section)?.[1]
    if (known === undefined) {
      const sections = Object.keys(DEFAULT_SETTINGS).join(', ')
      throw invalid(`${section} is no section of the settings; there are ${sections}`)
    }
    const unknown = Object.keys(values).find((key) => !Object.hasOwn(known, key))
    if (unknown !== undefined && section !== 'modes') {
      const keys = Object.keys(known).join(', ')
      throw invalid(`${section}.${unknown} is no setting; ${section} has ${keys}`)
    }
  }
}

/** The least value of each numeric setting; whole numbers but for those in `REAL`. */
const LEAST: Readonly<Record<string, number>> = {
  'budget.max_llm_calls_small': 0,
  'budget.max_llm_calls_big': 0,
  'budget.max_tool_calls': 0,
  'budget.max_seconds': 0,
  'budget.max_tokens': 0,
  'budget.max_cost_usd': 0,
  'budget.max_checks': 0,
  'act.max_steps': 0,
  'act.no_progress_patience': 0,
  'act.min_improvement': 0,
  'verifier_thresholds.stock': 0,
  'limits.max_input_chars': 1,
  'limits.max_artifact_mb': 0,
  'limits.max_prompt_tokens': 1,
  'limits.max_completion_tokens': 16,
  'limits.max_call_seconds': 0.001,
  'security.max_concurrent_tool_calls': 1,
}
const REAL: ReadonlySet<string> = new Set([
  'budget.max_seconds',
  'budget.max_cost_usd',
  'act.min_improvement',
  'verifier_thresholds.stock',
  'limits.max_artifact_mb',
  'limits.max_call_seconds',
])

/** Numbers that may be null, which then stands for a default or for no limit. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'budget.max_tool_calls',
  'budget.max_tokens',
  'budget.max_cost_usd',
  'budget.max_checks',
  'act.max_steps',
])

function checkNumbers(settings: Partial<DecideSettings> | ModeSettings, prefix = ''): void {
  for (const [section, values] of Object.entries(settings)) {
    for (const [key, value] of Object.entries(values)) {
      const name = `${section}.${key}`
      const least = LEAST[name]
      if (least === undefined || (value === null && OPTIONAL.has(name))) continue
      const isWhole = REAL.has(name) || Number.isInteger(value)
      if (typeof value !== 'number' || !Number.isFinite(value) || !isWhole || value < least) {
        const kind = REAL.has(name) ? 'a number' : 'a whole number'
        throw invalid(
          `${prefix}${name} is ${JSON.stringify(value)}; it must be ${kind} of at least ${least}`,
        )
      }
    }
  }
}

export const invalid = (message: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', message)
