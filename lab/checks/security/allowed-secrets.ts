/** A value that looks like a secret but is not. The exact value is allowed everywhere. */
export interface AllowedSecret {
  /** The secretlint rule that reports it, without its prefix. */
  readonly rule: string
  readonly value: string
  readonly reason: string
}

const REDACTED = 'made up; the tests of redaction must find it'

/** The only place for exceptions: a comment that disables secretlint is itself a finding. */
export const ALLOWED_SECRETS: readonly AllowedSecret[] = [
  { rule: 'github', value: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', reason: REDACTED },
  { rule: 'gitlab', value: 'glpat-x1y2z3a4b5c6d7e8f9g0', reason: REDACTED },
  { rule: 'slack', value: 'xoxb-123456789012-abcdefGHIJKL', reason: REDACTED },
  { rule: 'basicauth', value: 'https://ann:hunter2@example.com', reason: REDACTED },
  { rule: 'basicauth', value: 'https://ann:hunter2@db.example.org', reason: REDACTED },
  { rule: 'aws', value: 'AKIAABCDEFGHIJKLMNOP', reason: REDACTED },
  {
    rule: 'database-connection-string',
    value: 'postgres://app:p%40ss@db.example.com:5432/main',
    reason: REDACTED,
  },
  {
    rule: 'basicauth',
    value: 'https://user:secret@example.org',
    reason: 'made up; a test has a base URL refused for it',
  },
]
