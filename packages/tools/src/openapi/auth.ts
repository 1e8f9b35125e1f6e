/** Keys, by the name of the security scheme: a text, or user and password for HTTP basic. */
export type Auth = Readonly<
  Record<string, string | { readonly user: string; readonly pass: string }>
>
