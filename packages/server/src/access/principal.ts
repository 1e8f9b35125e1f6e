/** A user of the server: the holder of a token, or everyone on this machine if no tokens are set. */
export interface Principal {
  /** Lower-case letters, digits, `-` and `_`, at most 64. It begins the ids of their conversations in the store. */
  readonly name: string
  /** The agents that they may use; default all. */
  readonly agents?: readonly string[]
  /** US dollars that their runs may spend in a day (UTC); default no limit. */
  readonly usdPerDay?: number
  /**
   * US dollars that one of their runs may cost, taken from the day before it starts. Default, with a daily
   * budget: a tenth of it.
   */
  readonly usdPerRun?: number
  /** Requests in a minute; default no limit. */
  readonly requestsPerMinute?: number
  /** Runs at the same time; default the server's limit. */
  readonly runsAtOnce?: number
  /** Whether they see and answer the runs of everybody. Default false. */
  readonly isOperator?: boolean
}

/** Everybody on this machine, where no token is set. No token has this name. */
export const LOCAL: Principal = { name: 'local', isOperator: true }

export const mayUse = ({ agents }: Principal, agent: string): boolean =>
  agents === undefined || agents.includes(agent)

/** The user whose data is requested; `undefined` if it is another user's, which only operators see. */
export const inPlaceOf = (
  principal: Principal,
  owner: string,
): Pick<Principal, 'name'> | undefined =>
  owner === principal.name || principal.isOperator === true ? { name: owner } : undefined

/** A conversation's id in the store: no two users share one, whatever ids they choose. */
export const storedSession = (
  { name }: Pick<Principal, 'name'>,
  agent: string,
  id: string,
): string => `${name}/${agent}/${id}`

/** The user's own id of a conversation, and its owner; `undefined` for one that the server did not start. */
export function sessionIn(
  stored: string,
): { readonly owner: string; readonly agent: string; readonly id: string } | undefined {
  const [, owner, agent, id] = /^([a-z0-9_-]{1,64})\/([\w-]{1,64})\/(.+)$/s.exec(stored) ?? []
  if (owner === undefined || agent === undefined || id === undefined) return undefined
  return { owner, agent, id }
}
