// What each kind of bundle says about itself. Everything that package.json knows is taken from there.

/** What is started, below the folder of a bundle. */
const PROGRAM = 'dist/main.js'

const webAddressOf = ({ repository }) => repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** Version 0.3 of the manifest of an MCPB bundle. */
export function mcpbManifest(manifest, tools) {
  return {
    manifest_version: '0.3',
    name: manifest.name,
    display_name: 'Plexus',
    version: manifest.version,
    description: manifest.description,
    author: { name: manifest.author },
    repository: { type: 'git', url: webAddressOf(manifest) },
    homepage: manifest.homepage,
    support: manifest.bugs.url,
    license: manifest.license,
    keywords: manifest.keywords,
    server: {
      type: 'node',
      entry_point: PROGRAM,
      mcp_config: { command: 'node', args: [`\${__dirname}/${PROGRAM}`, 'mcp'] },
    },
    tools: tools.map(({ name, title }) => ({ name, description: title })),
    compatibility: { platforms: manifest.os, runtimes: { node: manifest.engines.node } },
  }
}

/** The entry of the MCP registry, by its schema of 2025-12-11. */
export function serverEntry(manifest) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: manifest.mcpName,
    title: 'Plexus',
    description: manifest.description,
    version: manifest.version,
    repository: { url: webAddressOf(manifest), source: 'github' },
    websiteUrl: manifest.homepage,
    packages: [
      {
        registryType: 'npm',
        identifier: manifest.name,
        version: manifest.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  }
}

export function pluginManifest(manifest) {
  return {
    name: 'plexus',
    version: manifest.version,
    description: manifest.description,
    author: { name: manifest.author },
    homepage: manifest.homepage,
    repository: webAddressOf(manifest),
    license: manifest.license,
    keywords: manifest.keywords,
  }
}

/** In a file of its own, `.mcp.json`: only there `claude plugin details` counts it. */
export function pluginServers() {
  return { mcpServers: { plexus: { command: 'node', args: [`\${CLAUDE_PLUGIN_ROOT}/${PROGRAM}`, 'mcp'] } } }
}

const ABOUT_TERMINALS = 'Questions of your terminals are in the inbox of Plexus too; the first answer counts.'

/** The second plugin: what `plexus terminals on` writes into the settings, for those who share by marketplace. */
export function terminalsManifest(manifest) {
  return { ...pluginManifest(manifest), name: 'plexus-terminals', description: ABOUT_TERMINALS }
}

/** Only an event that the oldest CLI knows that we support. With `args` no shell reads the path. */
export function terminalsHooks() {
  const hook = {
    type: 'command',
    command: '${CLAUDE_PLUGIN_ROOT}/bin/ask',
    args: ['terminal'],
    timeout: 86_400,
  }
  return { description: ABOUT_TERMINALS, hooks: { PermissionRequest: [{ hooks: [hook] }] } }
}

/** A marketplace with both plugins, in the folders `plexus` and `plexus-terminals` beside it. */
export function marketplaceManifest(manifest) {
  return {
    name: 'plexus',
    description: manifest.description,
    owner: { name: manifest.author },
    plugins: [
      {
        name: 'plexus',
        source: './plexus',
        description: manifest.description,
        version: manifest.version,
        category: 'development',
      },
      {
        name: 'plexus-terminals',
        source: './plexus-terminals',
        description: ABOUT_TERMINALS,
        version: manifest.version,
        category: 'development',
      },
    ],
  }
}
