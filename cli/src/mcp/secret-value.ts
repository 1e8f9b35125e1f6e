import { createRedactor } from 'echelon/runtime'

const SECRET_NAME = /key|token|secret|passw|credential|authorization|cookie/i
const redact = createRedactor()

/** Whether a name is that of a secret, or a value looks like one. */
export const isSecret = (name: string, value: string): boolean =>
  SECRET_NAME.test(name) || redact(value) !== value

/** Whether a value would write a secret down; `${NAME}` stands for one, and hides it. */
export const looksSecret = (name: string, value: string): boolean =>
  !/\$\{\w+\}/.test(value) && isSecret(name, value)

const LOADING =
  /^(?:NODE_|LD_|DYLD_|PYTHON|PERL|RUBY|BASH_ENV$|ENV$|PATH$|_?JAVA_|JDK_|npm_|UV_|PIP_|GIT_|BUN_|DENO_)/i

/**
 * Whether a program loads code by a variable of this name. Such a value is shown whatever it looks
 * like, so that no program hides behind the name of a secret.
 */
export const loadsCode = (name: string): boolean => LOADING.test(name)
