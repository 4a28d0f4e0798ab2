# frozen_string_literal: true

# Checks the signature of a Recado webhook. Copy this file; it needs Ruby 2.7 or newer and its standard library.
#
# Give it the body as the bytes that arrived, before any JSON parser touched them:
#   Rails: request.raw_post    Sinatra, Rack: request.body.read
#   Rails: request.headers['Service-Timestamp']    Rack: request.get_header('HTTP_SERVICE_TIMESTAMP')
require 'openssl'

module RecadoWebhooks
  TOLERANCE_SECONDS = 300

  # Tells whether Recado signed this delivery with the secret, at most five minutes ago.
  #
  # timestamp, signature: the headers Service-Timestamp and Service-Signature; nil if absent.
  # secret: the integration's webhook secret as shown, with its whsec_ prefix. An empty one accepts nothing.
  # now: unix seconds, for tests.
  def self.authentic?(raw_body, timestamp, signature, secret, now: Time.now.to_i)
    return false if secret.empty? || timestamp.nil? || signature.nil?
    return false unless timestamp.match?(/\A[0-9]{1,12}\z/)
    return false if (now - timestamp.to_i).abs > TOLERANCE_SECONDS

    digest = OpenSSL::HMAC.new(secret, 'SHA256')
    digest << timestamp << '.' << raw_body
    expected = "v1=#{digest.hexdigest}"
    # One entry, or two while the secret is rotated. secure_compare takes the same time wherever they differ.
    signature.split(',').any? { |entry| OpenSSL.secure_compare(entry, expected) }
  end
end
