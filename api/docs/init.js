/* global Scalar */
// Everything that would leave this host is off: fonts, request proxy, telemetry, the assistant and the hosted client.
// The page's content security policy forbids it as well.
Scalar.createApiReference('#reference', {
  url: '{{path}}/openapi.json',
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  defaultOpenAllTags: true,
});
