/** The whole of mathjs in one file, which comes without types. */
declare module 'mathjs/lib/browser/math.js' {
  import type { ConfigOptions, MathJsInstance } from 'mathjs'

  /** An instance. Its `create` makes another one with the same functions. */
  const math: Omit<MathJsInstance, 'create'> & {
    readonly create: (config?: ConfigOptions) => MathJsInstance
  }
  export default math
}
