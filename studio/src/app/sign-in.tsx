import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { renewClient } from '../api/client.ts'
import { setSignedOut } from '../api/sign-in-state.ts'
import { keepToken } from '../api/token.ts'
import { Page } from '../pieces/page.tsx'

/** Asks for the token of a server that has them. */
export function SignIn() {
  const [token, setToken] = useState('')
  const queries = useQueryClient()
  const enter = (event: FormEvent): void => {
    event.preventDefault()
    keepToken(token.trim())
    renewClient()
    setSignedOut(false)
    void queries.resetQueries()
  }
  return (
    <Page title="Sign in">
      <form onSubmit={enter}>
        <Stack maw={420} gap="md">
          <Text>This server wants a token. Its operator can give you one.</Text>
          <PasswordInput
            label="Token"
            description="It stays in this tab."
            value={token}
            onChange={({ currentTarget }) => setToken(currentTarget.value)}
            autoComplete="off"
            required
          />
          <Button type="submit">Enter</Button>
        </Stack>
      </form>
    </Page>
  )
}
