import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { echelon, renewClient } from '../api/client.ts'
import { agentsQuery } from '../api/queries.ts'
import { forgetFeeds } from '../api/run-feed.ts'
import { isUnknownToken, setSignedOut } from '../api/sign-in-state.ts'
import { forgetToken, keepToken } from '../api/token.ts'
import { Page } from '../pieces/page.tsx'

/** Asks for the token of a server that has them. */
export function SignIn() {
  const [token, setToken] = useState('')
  const queries = useQueryClient()
  const enter = useMutation({
    mutationFn: (wanted: string) => {
      keepToken(wanted)
      renewClient()
      return echelon().agents.list()
    },
    onSuccess: (agents) => {
      // The owner of this token may not be allowed to see what was shown before.
      forgetFeeds()
      setSignedOut(false)
      void queries.resetQueries()
      queries.setQueryData(agentsQuery.queryKey, agents)
    },
    onError: () => {
      forgetToken()
      renewClient()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (token.trim() !== '') enter.mutate(token.trim())
  }
  return (
    <Page title="Sign in">
      <form onSubmit={submit}>
        <Stack maw={420} gap="md">
          <Text>This server requires a token. Its operator can give you one.</Text>
          <PasswordInput
            label="Token"
            description="It stays in this tab."
            value={token}
            onChange={({ currentTarget }) => setToken(currentTarget.value)}
            autoComplete="off"
            required
          />
          {enter.isError && (
            <Alert color="red" role="alert" p="xs">
              {isUnknownToken(enter.error)
                ? 'The server does not know this token. Check that you copied all of it.'
                : enter.error.message}
            </Alert>
          )}
          <Button type="submit" loading={enter.isPending}>
            Enter
          </Button>
        </Stack>
      </form>
    </Page>
  )
}
