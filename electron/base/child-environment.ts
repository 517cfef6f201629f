/** What a child process may know of the environment: an allow-list, so that keys and tokens of the person stay behind. */

const NAMES = new Set([
  // Who and where
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TERM', 'COLORTERM', 'NO_COLOR'],
  ...['LANG', 'LANGUAGE', 'TZ', 'EDITOR', 'PAGER'],
  // The display, and the bus that a keyring is reached by
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'],
  // The network
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  // Where tools keep themselves
  ...[
    'NVM_DIR',
    'VOLTA_HOME',
    'PNPM_HOME',
    'BUN_INSTALL',
    'DENO_DIR',
    'NPM_CONFIG_PREFIX',
    'NPM_CONFIG_CACHE',
  ],
  ...[
    'VIRTUAL_ENV',
    'PYENV_ROOT',
    'CONDA_PREFIX',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'GOPATH',
    'GOROOT',
    'GOCACHE',
  ],
  ...['JAVA_HOME', 'ANDROID_HOME', 'DOTNET_ROOT', 'RBENV_ROOT', 'GEM_HOME'],
  // Windows: without most of these no program starts
  ...[
    'SYSTEMROOT',
    'WINDIR',
    'SYSTEMDRIVE',
    'COMSPEC',
    'PATHEXT',
    'OS',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
  ],
  ...[
    'HOMEDRIVE',
    'HOMEPATH',
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
    'ALLUSERSPROFILE',
    'COMMONPROGRAMFILES',
  ],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
]);
const BEGINNINGS = ['LC_', 'XDG_'];

/** `alsoBeginningWith`: beginnings of names that this one child needs besides, e.g. its own keys. Names keep their spelling. */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  alsoBeginningWith: readonly string[] = [],
): Record<string, string> {
  const beginnings = [...BEGINNINGS, ...alsoBeginningWith];
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    // Windows spells names as it likes, and proxies are often written in lower case.
    const upper = name.toUpperCase();
    const isAllowed = NAMES.has(upper) || beginnings.some((beginning) => upper.startsWith(beginning));
    if (value !== undefined && isAllowed) allowed[name] = value;
  }
  return allowed;
}
