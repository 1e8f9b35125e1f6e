import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { renewClient } from '../api/client.ts'
import { forgetFeeds } from '../api/run-feed.ts'
import { setSignedOut } from '../api/sign-in-state.ts'
import { forgetToken, readToken } from '../api/token.ts'

/** Forgets the token of this tab and what was seen with it. */
export function SignOut() {
  const queries = useQueryClient()
  if (readToken() === undefined) return null
  const leave = (): void => {
    forgetToken()
    renewClient()
    queries.clear()
    forgetFeeds()
    setSignedOut(true)
  }
  return (
    <Button variant="subtle" size="xs" onClick={leave}>
      Sign out
    </Button>
  )
}
